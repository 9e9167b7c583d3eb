// The loop behind custom resources: judges definitions, serves those that are established, and cleans up behind those that go.
// It is a part of the API server, not a controller that can be switched off.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ChangeType, SourceItem, Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { ResourceAddress } from '#client/address.ts';
import type { RestClient } from '#client/rest-client.ts';
import { CustomApiServices } from '#controllers/custom-api-services.ts';
import type { WebhookConverterOf } from '#crd/converter.ts';
import { type DefinitionFacts, definitionFacts } from '#crd/definition-facts.ts';
import { DefinitionRegistry } from '#crd/definition-registry.ts';
import { isEstablished, settledStatus, usedNames, withCondition } from '#crd/definition-status.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { formatTime } from '#schema/time.ts';
import type { World } from '#verbs/call.ts';
import { removeAll } from '#verbs/remove-all.ts';

const definitions: ResourceAddress = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', namespaced: false };
const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
const fieldManager = 'kube-apiserver';
const retryMs = 1_000;

const nothingUsed = usedNames([]);

type Definition = CustomResourceDefinition & KubernetesObject;

export interface LoopParts {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly webhookConverterOf?: WebhookConverterOf;
}

/** The server that serves what is defined. */
export interface DefiningServer {
  readonly client: RestClient;
  readonly world: World;
  readonly sources: Sources;
}

/** Resolves when every stored definition that is established is served; follows changes until `signal` aborts. */
export async function serveCustomResources(api: DefiningServer, parts: LoopParts, signal: AbortSignal): Promise<void> {
  const source = api.sources.of(definitions);
  const loop = new DefinitionLoop(api, (name) => source.get('', name), parts, signal);
  const change = (type: ChangeType, item: SourceItem) => (type === 'DELETED' ? loop.drop(item.name) : loop.put(item));
  await source.follow({ begin: (all) => loop.begin(all), change }, signal);
  await loop.settled();
}

class DefinitionLoop {
  readonly #api: DefiningServer;
  readonly #itemOf: (name: string) => SourceItem | undefined;
  readonly #registry: DefinitionRegistry;
  readonly #services: CustomApiServices;
  readonly #parts: LoopParts;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, DefinitionFacts>();
  /** Names, by group: what a definition may be called depends on what others of its group were promised. */
  readonly #groups = new Map<string, Set<string>>();
  /** uids of definitions whose objects are being removed. */
  readonly #cleaning = new Set<string>();
  /** One step after the other. */
  #work: Promise<void> = Promise.resolve();
  #registration: Promise<void> = Promise.resolve();
  #registered = '';

  constructor(api: DefiningServer, itemOf: (name: string) => SourceItem | undefined, parts: LoopParts, signal: AbortSignal) {
    this.#api = api;
    this.#itemOf = itemOf;
    this.#parts = parts;
    this.#signal = signal;
    this.#services = new CustomApiServices(api.client);
    const { catalog, caches } = api.world;
    this.#registry = new DefinitionRegistry({ catalog, caches, read: (name) => itemOf(name)?.json, webhookConverterOf: parts.webhookConverterOf });
  }

  /** All there is: those that are settled already are served together. */
  begin(items: readonly SourceItem[]): void {
    const names = new Set(items.map(({ name }) => name));
    for (const name of this.#known.keys()) if (!names.has(name)) this.drop(name);
    for (const item of items) this.#remember(item.name, definitionFacts(item.json));
    this.#registry.put(...[...this.#known.values()].filter(({ definition }) => isEstablished(definition.status)));
    for (const [name, facts] of this.#known) if (this.#isUnsettled(facts)) this.#enqueue(name);
    this.#register();
  }

  put(item: SourceItem): void {
    this.#remember(item.name, definitionFacts(item.json));
    this.#enqueue(item.name);
  }

  drop(name: string): void {
    const gone = this.#known.get(name);
    this.#known.delete(name);
    this.#enqueue(name);
    if (gone === undefined) return;
    const { group } = gone.definition.spec;
    this.#groups.get(group)?.delete(name);
    if (this.#groups.get(group)?.size === 0) this.#groups.delete(group);
    // Names that the definition held are free for others of its group.
    for (const other of this.#groups.get(group) ?? []) this.#enqueue(other);
  }

  settled(): Promise<void> {
    return this.#work;
  }

  #remember(name: string, facts: DefinitionFacts): void {
    const { group } = facts.definition.spec;
    this.#known.set(name, facts);
    const names = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, names.add(name));
  }

  #enqueue(name: string): void {
    this.#work = this.#work.then(() => this.#sync(name)).catch((cause: unknown) => this.#complain(name, cause));
  }

  /** Whoever overtook a write caused an event that brings the definition here again; anything else is tried again. */
  #complain(name: string, cause: unknown): void {
    const overtaken = cause instanceof ApiError && (cause.code === 404 || cause.code === 409);
    if (overtaken || this.#signal.aborted) return;
    this.#parts.log.warn('a custom resource definition could not be settled', { name, cause: String(cause) });
    this.#parts.timers.after(retryMs, () => this.#enqueue(name));
  }

  async #sync(name: string): Promise<void> {
    const facts = this.#known.get(name);
    if (facts === undefined) {
      this.#registry.drop(name);
      this.#register();
      return;
    }
    if (isEstablished(facts.definition.status)) this.#registry.put(facts);
    if (facts.definition.metadata.deletionTimestamp !== undefined) return this.#startCleanUp(facts);
    const status = this.#statusOf(facts);
    const settled = { ...facts, definition: { ...facts.definition, status } };
    if (isEstablished(status)) this.#registry.put(settled);
    if (status !== facts.definition.status) await this.#write(settled);
    this.#register();
  }

  #isUnsettled(facts: DefinitionFacts): boolean {
    return facts.definition.metadata.deletionTimestamp !== undefined || this.#statusOf(facts) !== facts.definition.status;
  }

  #statusOf({ definition }: DefinitionFacts): Definition['status'] {
    // Whose names are all its own keeps them, whatever others have: most definitions, and all of them when a server starts.
    if (settledStatus(definition, nothingUsed, this.#now()) === definition.status) return definition.status;
    const { name } = definition.metadata;
    const others = [...(this.#groups.get(definition.spec.group) ?? [])].flatMap((other) => (other === name ? [] : (this.#known.get(other)?.definition ?? [])));
    return settledStatus(definition, usedNames(others), this.#now());
  }

  #now(): string {
    return formatTime(this.#parts.clock.now());
  }

  /** The rest of the object is as stored. Nothing is written over a definition that has changed since it was judged: that change comes here too. */
  async #write({ definition, digests }: DefinitionFacts, subresource: '' | 'status' = 'status'): Promise<void> {
    const { name = '', resourceVersion, finalizers } = definition.metadata;
    const stored = this.#itemOf(name)?.object as Definition | undefined;
    if (stored?.metadata.resourceVersion !== resourceVersion) return;
    const wanted = subresource === 'status' ? { ...stored, status: definition.status } : { ...stored, metadata: { ...stored?.metadata, finalizers } };
    const written = await this.#api.client.update<Definition>(definitions, wanted as Definition, subresource, { fieldManager });
    const { managedFields: _owners, ...metadata } = written.metadata;
    this.#remember(name, { definition: { ...definition, status: written.status, metadata }, digests });
  }

  /** Beside the other work: objects may be many, or held by finalizers. */
  #startCleanUp(facts: DefinitionFacts): void {
    const { name = '', uid = '', finalizers } = facts.definition.metadata;
    if (!finalizers?.includes(cleanupFinalizer) || this.#cleaning.has(uid)) return;
    this.#cleaning.add(uid);
    void this.#cleanUp(name)
      .catch((cause: unknown) => this.#complain(name, cause))
      .finally(() => this.#cleaning.delete(uid));
  }

  /** Objects go before their definition does. */
  async #cleanUp(name: string): Promise<void> {
    await this.#condition(name, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const established = isEstablished(this.#known.get(name)?.definition.status ?? { acceptedNames: { plural: '', kind: '' } });
    if (established) await this.#emptied(name);
    await (established
      ? this.#condition(name, 'False', 'InstanceDeletionCompleted', 'removed all instances')
      : this.#condition(name, 'False', 'NeverEstablished', 'resource was never established'));
    const facts = this.#known.get(name);
    if (facts === undefined) return;
    const { metadata } = facts.definition;
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    // The client that finds the definition gone finds its resource gone as well.
    if (finalizers.length === 0) this.#registry.drop(name);
    await this.#write({ ...facts, definition: { ...facts.definition, metadata: { ...metadata, finalizers } } }, '');
  }

  /** Resolves when the last object is gone; those with finalizers wait for their owners. */
  async #emptied(name: string): Promise<void> {
    const { world } = this.#api;
    for (let waitMs = 50; !this.#signal.aborted; waitMs = Math.min(waitMs * 2, 5_000)) {
      const hub = this.#registry.hubOf(name);
      if (hub === undefined || (await removeAll(world, hub, this.#signal)) === 0) return;
      await pause(this.#parts.timers, waitMs, this.#signal);
    }
    this.#signal.throwIfAborted();
  }

  async #condition(name: string, status: string, reason: string, message: string): Promise<void> {
    const facts = this.#known.get(name);
    if (facts === undefined) return;
    const { definition } = facts;
    const conditions = withCondition(definition.status.conditions ?? [], { type: 'Terminating', status, reason, message }, this.#now());
    if (conditions !== definition.status.conditions)
      await this.#write({ ...facts, definition: { ...definition, status: { ...definition.status, conditions } } });
  }

  /** APIServices follow what is served; the last state wins. */
  #register(): void {
    const wanted = this.#registry.groupVersions();
    const text = wanted.map(({ group, version }) => `${group}/${version}`).join(' ');
    if (text === this.#registered) return;
    this.#registered = text;
    this.#registration = this.#registration
      .then(() => (text === this.#registered ? this.#services.keep(wanted) : undefined))
      .catch((cause: unknown) => this.#retryRegistration(cause));
  }

  #retryRegistration(cause: unknown): void {
    if (this.#signal.aborted) return;
    this.#parts.log.warn('APIServices of custom resources could not be kept', { cause: String(cause) });
    this.#registered = '';
    this.#parts.timers.after(retryMs, () => this.#register());
  }
}

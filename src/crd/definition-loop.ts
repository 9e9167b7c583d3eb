// The loops behind custom resources: one judges definitions and serves those that are established, one cleans up behind those that go, one
// keeps their APIServices. They are a part of the API server, not controllers that can be switched off; their queues are called as upstream's.
import type { GroupVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ChangeType, FollowedSource, SourceItem } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { lazily } from '#base/lazily.ts';
import type { ResourceAddress } from '#client/address.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type KeySource, type LoopParts as ControllerParts, unlessOvertaken } from '#controllers/controller.ts';
import type { WebhookConverterOf } from '#crd/converter.ts';
import { type DefinitionFacts, definitionFacts, withoutBulk } from '#crd/definition-facts.ts';
import { type DeferredDefinition, DefinitionRegistry, type RegistryOptions } from '#crd/definition-registry.ts';
import { DefinitionShelf } from '#crd/definition-shelf.ts';
import { KnownDefinitions } from '#crd/known-definitions.ts';
import { isEstablished, settledStatus, usedNames, withCondition } from '#crd/definition-status.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { formatTime } from '#schema/time.ts';
import type { World } from '#verbs/call.ts';
import type { RuleTimes } from '#schema/cel/rule-tree.ts';
import { removeAll } from '#verbs/remove-all.ts';

const definitions: ResourceAddress = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', namespaced: false };
const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
const fieldManager = 'kube-apiserver';
/** The finalizer looks again at objects that others hold: first soon, then less and less often. */
const firstWaitMs = 50;
const longestWaitMs = 5_000;

/** Facts of definitions that are missing or superfluous in their file are written anew when a start is long over. */
const untilShelfIsReplacedMs = 3_000;

const nothingUsed = usedNames([]);

type Definition = CustomResourceDefinition & KubernetesObject;

export interface LoopParts extends ControllerParts {
  readonly clock: Clock;
  readonly webhookConverterOf?: WebhookConverterOf;
  readonly ruleTimes?: RuleTimes;
  readonly asStored?: RegistryOptions['asStored'];
  readonly onDocumentChanges?: RegistryOptions['onDocumentChanges'];
  /** Where a start finds what it must know of definitions; absent where they do not outlive the server. */
  readonly factsFile?: string | undefined;
  /** Told in which group-versions custom resources are served, whenever that may have changed: each has an APIService. */
  readonly onServed?: (groupVersions: readonly GroupVersion[]) => void;
}

/** The server that serves what is defined. */
export interface DefiningServer {
  readonly client: RestClient;
  readonly world: World;
  readonly definitions: FollowedSource;
}

/** Resolves when every stored definition that is established is served; follows changes until `signal` aborts. */
export async function serveCustomResources(api: DefiningServer, parts: LoopParts, signal: AbortSignal): Promise<void> {
  const loop = new DefinitionLoop(api, parts, signal);
  void loop.run();
  await loop.settled;
  // Before the loop that keeps APIServices begins: it removes those that nobody wants.
  loop.tellServed();
}

class DefinitionLoop {
  readonly #api: DefiningServer;
  readonly #itemOf: (name: string) => SourceItem | undefined;
  readonly #registry: DefinitionRegistry;
  readonly #parts: LoopParts;
  readonly #signal: AbortSignal;
  /** One worker: whether a definition gets its names depends on those that were judged before it. */
  readonly #judge: Controller;
  /** Writes what was decided: nobody else waits for that to be stored. */
  readonly #establishing: Controller;
  readonly #finalizer: Controller;
  readonly #registration: Controller;
  /** As stored. */
  readonly #known = new KnownDefinitions();
  /** Statuses that were decided on and are not stored yet: they count for what is decided next. */
  readonly #decided = new Map<string, Definition['status']>();
  readonly #shelf: DefinitionShelf | undefined;
  /** Names, by group: what a definition may be called depends on what others of its group were promised. */
  readonly #groups = new Map<string, Set<string>>();
  /** Names of definitions that the finalizer has in hand, and after how long it looks again. */
  readonly #cleaning = new Map<string, number>();
  /** Names of definitions that are gone but for the last write: their resources are not served any more. */
  readonly #leaving = new Set<string>();

  constructor(api: DefiningServer, parts: LoopParts, signal: AbortSignal) {
    this.#api = api;
    this.#parts = parts;
    this.#signal = signal;
    const source = api.definitions;
    this.#itemOf = (name) => source.get('', name);
    if (parts.factsFile !== undefined)
      this.#shelf = new DefinitionShelf(parts.factsFile, {
        log: parts.log,
        all: () => this.#known.all(),
        isSettled: (facts) => isEstablished(facts.definition.status) && this.#keepsStatus(facts),
      });
    const { catalog, caches } = api.world;
    const { webhookConverterOf, ruleTimes, onDocumentChanges, asStored } = parts;
    const read = (name: string) => this.#itemOf(name)?.json;
    this.#registry = new DefinitionRegistry({ catalog, caches, read, webhookConverterOf, ruleTimes, onDocumentChanges, asStored });
    const retry = { firstMs: firstWaitMs, maxMs: longestWaitMs };
    this.#judge = controller({
      ...parts,
      name: 'crd_naming_condition_controller',
      sources: [this.#unsettledIn(source)],
      reconcile: async (name) => this.#sync(name),
    });
    this.#establishing = controller({ ...parts, name: 'crdEstablishing', sources: [], reconcile: (name) => this.#establish(name) });
    this.#finalizer = controller({ ...parts, name: 'crd_finalizer', sources: [], workers: 5, retry, reconcile: (name) => this.#cleanUp(name) });
    this.#registration = controller({
      ...parts,
      name: 'crd_autoregistration_controller',
      sources: [],
      reconcile: async () => this.tellServed(),
    });
  }

  get settled(): Promise<void> {
    return this.#judge.settled;
  }

  async run(): Promise<void> {
    await Promise.all([this.#judge, this.#establishing, this.#finalizer, this.#registration].map((each) => each.run(this.#signal)));
  }

  #unsettledIn(source: FollowedSource): KeySource {
    return (enqueue, signal) => {
      const begin = (all: readonly SourceItem[]) => this.#begin(all).forEach(enqueue);
      const change = (type: ChangeType, item: SourceItem) => (type === 'DELETED' ? this.#drop(item.name) : this.#put(item)).forEach(enqueue);
      return source.follow({ begin, change }, signal);
    };
  }

  /** All there is: those that are settled already are served together. */
  #begin(items: readonly SourceItem[]): readonly string[] {
    const names = new Set(items.map(({ name }) => name));
    const isStart = this.#known.size === 0;
    const concerned = [...this.#known.names()].filter((name) => !names.has(name)).flatMap((name) => this.#drop(name));
    const shelved = this.#shelf?.read();
    const deferred: DeferredDefinition[] = [];
    const looked: DefinitionFacts[] = [];
    for (const item of items) {
      const found = shelved?.take(item);
      if (isStart && found?.served !== undefined) deferred.push(this.#deferred(item.name, found.served, lazily(found.facts)));
      else looked.push(this.#remember(item.name, found?.facts() ?? definitionFacts(item.json)));
    }
    if (shelved?.isExact(items) === false) this.#replaceShelfLater();
    this.#registry.putDeferred(deferred);
    this.#registry.put(...looked.filter(({ definition }) => isEstablished(definition.status)));
    this.#register();
    return [...concerned, ...looked.flatMap((facts) => (this.#isUnsettled(facts) ? [facts.definition.metadata.name ?? ''] : []))];
  }

  /** The next start gains by it, this one would only wait. */
  #replaceShelfLater(): void {
    this.#parts.timers.after(untilShelfIsReplacedMs, () => {
      if (!this.#signal.aborted) this.#shelf?.replace();
    });
  }

  /** Of a definition that is served as it is nothing more is made of its facts before somebody asks for it. */
  #deferred(name: string, served: Omit<DeferredDefinition, 'name' | 'facts'>, facts: () => DefinitionFacts): DeferredDefinition {
    this.#known.setDeferred(name, facts);
    this.#enterGroup(served.group, name);
    return { name, ...served, facts };
  }

  #put(item: SourceItem): readonly string[] {
    const facts = definitionFacts(item.json);
    this.#remember(item.name, facts);
    this.#shelf?.add(facts);
    return [item.name];
  }

  #drop(name: string): readonly string[] {
    const gone = this.#known.get(name);
    this.#known.delete(name);
    this.#decided.delete(name);
    this.#leaving.delete(name);
    if (gone === undefined) return [name];
    const { group } = gone.definition.spec;
    this.#groups.get(group)?.delete(name);
    if (this.#groups.get(group)?.size === 0) this.#groups.delete(group);
    // Names that the definition held are free for others of its group.
    return [name, ...(this.#groups.get(group) ?? [])];
  }

  #remember(name: string, facts: DefinitionFacts): DefinitionFacts {
    this.#known.set(name, facts);
    this.#decided.delete(name);
    this.#enterGroup(facts.definition.spec.group, name);
    return facts;
  }

  #enterGroup(group: string, name: string): void {
    const names = this.#groups.get(group);
    if (names === undefined) this.#groups.set(group, new Set([name]));
    else names.add(name);
  }

  /** A definition is served before its status says so in the store: clients wait for the status, and a write of it takes longer than all the rest. */
  #sync(name: string): void {
    const facts = this.#known.get(name);
    if (facts === undefined) {
      this.#registry.drop(name);
      this.#register();
      return;
    }
    if (isEstablished(facts.definition.status) && !this.#leaving.has(name)) this.#registry.put(facts);
    if (facts.definition.metadata.deletionTimestamp !== undefined) return this.#startCleanUp(name);
    const status = this.#statusOf(facts);
    if (isEstablished(status)) this.#registry.put(withStatus(facts, status));
    if (status !== facts.definition.status) {
      this.#decided.set(name, status);
      this.#establishing.enqueue(name);
    }
    this.#register();
  }

  async #establish(name: string): Promise<void> {
    const [facts, status] = [this.#known.get(name), this.#decided.get(name)];
    if (facts !== undefined && status !== undefined) await this.#write(withStatus(facts, status));
  }

  #isUnsettled(facts: DefinitionFacts): boolean {
    return facts.definition.metadata.deletionTimestamp !== undefined || this.#statusOf(facts) !== facts.definition.status;
  }

  #statusOf(facts: DefinitionFacts): Definition['status'] {
    const { definition } = facts;
    if (this.#keepsStatus(facts)) return definition.status;
    const { name } = definition.metadata;
    const others = [...(this.#groups.get(definition.spec.group) ?? [])].flatMap((other) => (other === name ? [] : this.#asDecided(other)));
    return settledStatus(definition, usedNames(others), this.#now());
  }

  /** Whose names are all its own keeps them, whatever others have: most definitions, and all of them when a server starts. */
  #keepsStatus({ definition }: DefinitionFacts): boolean {
    return definition.metadata.deletionTimestamp === undefined && settledStatus(definition, nothingUsed, this.#now()) === definition.status;
  }

  #asDecided(name: string): readonly Definition[] {
    const facts = this.#known.get(name);
    return facts === undefined ? [] : [withStatus(facts, this.#decided.get(name) ?? facts.definition.status).definition as Definition];
  }

  #now(): string {
    return formatTime(this.#parts.clock.now());
  }

  /** False when the definition has changed since it was judged: nothing is written over that change, which comes here too. */
  async #write({ definition, digests }: DefinitionFacts, subresource: '' | 'status' = 'status'): Promise<boolean> {
    const { name = '', resourceVersion, finalizers } = definition.metadata;
    const isLatest = () => this.#known.get(name)?.definition.metadata.resourceVersion === resourceVersion;
    const before = this.#known.get(name)?.definition.status;
    if (before === undefined || !isLatest()) return false;
    const status = subresource === 'status' ? { status: statusChange(before, definition.status) } : {};
    // Of a definition that may have megabytes of schemas, neither the request nor the answer has more than what changes.
    const change = { metadata: { resourceVersion, ...(subresource === '' && { finalizers }) }, ...status };
    const written = await unlessOvertaken(this.#api.client.mergeBriefly(definitions, { namespace: '', name, subresource }, change, { fieldManager }));
    if (written === undefined) return false;
    // The source may have been faster than the answer: what it has told since is newer, above all that the definition is gone.
    if (isLatest()) this.#remember(name, { definition: { ...definition, metadata: withoutBulk(written.metadata) }, digests });
    return true;
  }

  /** By another loop: objects may be many, or held by finalizers. It keeps at it until they are gone. */
  #startCleanUp(name: string): void {
    if (!this.#isToBeCleaned(name) || this.#cleaning.has(name)) return;
    this.#cleaning.set(name, firstWaitMs);
    this.#finalizer.enqueue(name);
  }

  /** Objects go before their definition does; those with finalizers wait for their owners. */
  async #cleanUp(name: string): Promise<{ readonly againMs: number } | void> {
    if (await this.#isCleanedUp(name)) return void this.#cleaning.delete(name);
    const againMs = this.#cleaning.get(name) ?? firstWaitMs;
    this.#cleaning.set(name, Math.min(againMs * 2, longestWaitMs));
    return { againMs };
  }

  async #isCleanedUp(name: string): Promise<boolean> {
    if (!this.#isToBeCleaned(name)) return true;
    this.#leaving.delete(name);
    await this.#condition(name, 'True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    const established = isEstablished(this.#known.get(name)?.definition.status ?? { acceptedNames: { plural: '', kind: '' } });
    const hub = established ? this.#registry.hubOf(name) : undefined;
    if (hub !== undefined && (await removeAll(this.#api.world, hub, this.#signal)) > 0) return false;
    await (established
      ? this.#condition(name, 'False', 'InstanceDeletionCompleted', 'removed all instances')
      : this.#condition(name, 'False', 'NeverEstablished', 'resource was never established'));
    const facts = this.#known.get(name);
    // It may have gone meanwhile, because a client took its finalizer away, and another one may have its name.
    if (facts === undefined || !this.#isToBeCleaned(name)) return true;
    const { metadata } = facts.definition;
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    // The client that finds the definition gone finds its resource gone as well.
    if (finalizers.length === 0) {
      this.#leaving.add(name);
      this.#registry.drop(name);
    }
    return this.#write({ ...facts, definition: { ...facts.definition, metadata: { ...metadata, finalizers } } }, '');
  }

  #isToBeCleaned(name: string): boolean {
    const { deletionTimestamp, finalizers } = this.#known.get(name)?.definition.metadata ?? {};
    return deletionTimestamp !== undefined && finalizers?.includes(cleanupFinalizer) === true;
  }

  async #condition(name: string, status: string, reason: string, message: string): Promise<void> {
    const facts = this.#known.get(name);
    if (facts === undefined) return;
    const { definition } = facts;
    const conditions = withCondition(definition.status.conditions ?? [], { type: 'Terminating', status, reason, message }, this.#now());
    if (conditions !== definition.status.conditions)
      await this.#write({ ...facts, definition: { ...definition, status: { ...definition.status, conditions } } });
  }

  /** APIServices follow what is served. */
  #register(): void {
    this.#registration.enqueue('apiservices');
  }

  tellServed(): void {
    this.#parts.onServed?.(this.#registry.groupVersions());
  }
}

function withStatus({ definition, digests }: DefinitionFacts, status: Definition['status']): DefinitionFacts {
  return { definition: { ...definition, status }, digests };
}

/** A merge patch keeps what it does not mention: names that were given up are set to null. */
function statusChange(before: Definition['status'], after: Definition['status']): object {
  return { ...withNulls(before, after), acceptedNames: withNulls(before.acceptedNames, after.acceptedNames) };
}

function withNulls(before: object, after: object): object {
  return { ...Object.fromEntries(Object.keys(before).map((key) => [key, null])), ...JSON.parse(JSON.stringify(after)) };
}

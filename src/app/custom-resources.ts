// The loop behind custom resources: judges definitions, serves those that are established, and cleans up behind those that go.
// It is a part of the API server, not a controller that can be switched off.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ApiServer } from '#app/api-server.ts';
import { followCache } from '#app/follow-cache.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ResourceAddress } from '#client/address.ts';
import { DefinitionRegistry } from '#crd/definition-registry.ts';
import { isEstablished, settledStatus, usedNames, withCondition } from '#crd/definition-status.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { formatTime } from '#schema/time.ts';

const definitions: ResourceAddress = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', namespaced: false };
const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';
const fieldManager = 'kube-apiserver';

type Definition = CustomResourceDefinition & KubernetesObject;

/** Resolves when every stored definition that is established is served; follows changes until `signal` aborts. */
export async function serveCustomResources(api: ApiServer, clock: Clock, log: Log, signal: AbortSignal): Promise<void> {
  const { catalog, caches } = api.world;
  const resource = catalog.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  if (resource === undefined) return;
  const loop = new DefinitionLoop(api, new DefinitionRegistry(catalog, caches), clock, log, signal);
  await followCache(
    api.world,
    resource,
    { put: (object) => loop.put(object as unknown as Definition), drop: ({ metadata }) => loop.drop(metadata.name ?? '') },
    signal,
  );
  await loop.settled();
}

class DefinitionLoop {
  readonly #api: ApiServer;
  readonly #registry: DefinitionRegistry;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Definition>();
  /** One step after the other: what a definition may be called depends on what others were promised. */
  #work: Promise<void> = Promise.resolve();

  constructor(api: ApiServer, registry: DefinitionRegistry, clock: Clock, log: Log, signal: AbortSignal) {
    this.#api = api;
    this.#registry = registry;
    this.#clock = clock;
    this.#log = log;
    this.#signal = signal;
  }

  put(definition: Definition): void {
    const { name = '' } = definition.metadata;
    this.#known.set(name, definition);
    this.#enqueue(name);
  }

  drop(name: string): void {
    const gone = this.#known.get(name);
    this.#known.delete(name);
    this.#enqueue(name);
    // Names that the definition held are free for others of its group.
    if (gone !== undefined) for (const [other, { spec }] of this.#known) if (spec.group === gone.spec.group) this.#enqueue(other);
  }

  settled(): Promise<void> {
    return this.#work;
  }

  #enqueue(name: string): void {
    this.#work = this.#work.then(() => this.#sync(name)).catch((cause: unknown) => this.#complain(name, cause));
  }

  #complain(name: string, cause: unknown): void {
    const overtaken = cause instanceof ApiError && (cause.code === 404 || cause.code === 409);
    if (!overtaken && !this.#signal.aborted) this.#log.warn('a custom resource definition could not be settled', { name, cause: String(cause) });
  }

  async #sync(name: string): Promise<void> {
    const definition = this.#known.get(name);
    if (definition === undefined) return this.#registry.drop(name);
    if (definition.metadata.deletionTimestamp !== undefined) return this.#cleanUp(definition);
    const others = [...this.#known.values()].filter(({ metadata, spec }) => metadata.name !== name && spec.group === definition.spec.group);
    const status = settledStatus(definition, usedNames(others), formatTime(this.#clock.now()));
    const settled = { ...definition, status };
    if (isEstablished(status)) await this.#registry.put(settled);
    if (status !== definition.status) await this.#write(settled);
  }

  async #write(definition: Definition, subresource: '' | 'status' = 'status'): Promise<void> {
    const written = await this.#api.client.update<Definition & KubernetesObject>(definitions, definition, subresource, { fieldManager });
    this.#known.set(written.metadata.name ?? '', written);
  }

  /** Objects go before their definition does. */
  async #cleanUp(definition: Definition): Promise<void> {
    if (definition.metadata.finalizers?.includes(cleanupFinalizer) !== true) return;
    const { spec, status } = definition;
    if (isEstablished(status)) {
      await this.#registry.put(definition);
      await this.#deleteObjects(spec, status.acceptedNames.plural);
    }
    const now = formatTime(this.#clock.now());
    const done = { type: 'Terminating', status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
    const finalizers = definition.metadata.finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    await this.#write({ ...definition, status: { ...status, conditions: withCondition(status.conditions ?? [], done, now) } });
    // The client that finds the definition gone finds its resource gone as well.
    if (finalizers.length === 0) await this.#registry.drop(definition.metadata.name ?? '');
    const current = this.#known.get(definition.metadata.name ?? '') ?? definition;
    await this.#write({ ...current, metadata: { ...current.metadata, finalizers } }, '');
  }

  async #deleteObjects({ group, versions, scope }: Definition['spec'], plural: string): Promise<void> {
    const version = (versions ?? []).find(({ served }) => served)?.name;
    if (version === undefined) return;
    const address: ResourceAddress = { group, version, resource: plural, namespaced: scope === 'Namespaced' };
    const { items } = await this.#api.client.list<KubernetesObject>(address, '');
    for (const { metadata } of items) await this.#api.client.delete(address, metadata.namespace ?? '', metadata.name ?? '');
  }
}

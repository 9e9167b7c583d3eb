// A namespace that is being deleted: everything in it goes first, then its finalizer. Its conditions tell what it waits for.
import { ApiError } from '#api/api-error.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { retryOnConflict } from '#client/retry-on-conflict.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import { type Contents, deleteContents, type DeletionPass } from '#controllers/namespace/delete-contents.ts';
import { discoveryError, missingConditions } from '#controllers/namespace/namespace-conditions.ts';
import type { Namespace } from '#kinds/core/v1/namespace.ts';

export interface NamespaceControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly now: () => Date;
  /** All resources that a namespace may have objects of, also those of other servers. */
  readonly discover: () => Promise<Contents>;
}

type StoredNamespace = Namespace & KubernetesObject;

const namespaces: ResourceAddress = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
const finalizer = 'kubernetes';
/** --concurrent-namespace-syncs */
const workers = 10;
/** Of the original: retries come faster than those of other controllers. */
const retry = { firstMs: 5, maxMs: 60_000 };
/** Objects that go one by one are looked at together. */
const gatherMs = 200;

export function namespaceController(options: NamespaceControllerOptions): Controller {
  return new NamespaceDeletion(options).controller;
}

class NamespaceDeletion {
  readonly controller: Controller;
  readonly #options: NamespaceControllerOptions;
  /** Namespaces with content that is not gone yet. */
  readonly #waiting = new Set<string>();
  readonly #followed = new Set<string>();
  readonly #woken = new Set<string>();

  constructor(options: NamespaceControllerOptions) {
    this.#options = options;
    const all = options.sources.of<StoredNamespace>(namespaces);
    this.controller = controller({
      ...options,
      name: 'namespace',
      sources: [keysOf(all, (item) => (isEnding(item.object) ? [sourceKey(item)] : []))],
      reconcile: (key) => this.#finish(splitKey(key).name),
      workers,
      retry,
    });
  }

  async #finish(name: string): Promise<{ againMs?: number }> {
    this.#waiting.delete(name);
    const { client, now, discover } = this.#options;
    const namespace = await this.#marked(name);
    if (namespace === undefined || !isEnding(namespace) || !namespace.spec.finalizers?.length) return {};
    const deletedSince = (now().getTime() - Date.parse(namespace.metadata.deletionTimestamp ?? '')) / 1000;
    const pass = await deleteContents(client, name, await discover(), deletedSince);
    await this.#tell(namespace, pass);
    if (pass.left.length > 0) this.#awaitLast(name, pass);
    const problems = [...(pass.undiscovered.size > 0 ? [discoveryError(pass.undiscovered)] : []), ...pass.failures];
    if (problems.length > 0) throw new Error(`deletion of namespace ${name} failed: ${problems.join(', ')}`);
    if (pass.waitSeconds > 0) return { againMs: (Math.floor(pass.waitSeconds / 2) + 1) * 1000 };
    await this.#finalize(name, namespace.metadata.uid);
    return {};
  }

  /** As it is stored now, in the phase Terminating; undefined when it is gone. */
  async #marked(name: string): Promise<StoredNamespace | undefined> {
    const { client } = this.#options;
    return await retryOnConflict(async () => {
      const namespace = await client.find<StoredNamespace>(namespaces, '', name);
      if (namespace === undefined || !isEnding(namespace) || namespace.status?.phase === 'Terminating') return namespace;
      return await client.update(namespaces, { ...namespace, status: { ...namespace.status, phase: 'Terminating' } } as StoredNamespace, 'status');
    });
  }

  /** A conflict is no harm: the next pass tells it again. */
  async #tell(namespace: StoredNamespace, pass: DeletionPass): Promise<void> {
    const { client, now, log } = this.#options;
    const time = now().toISOString().replace(/\.\d+/, '');
    const conditions = missingConditions(namespace.status?.conditions ?? [], pass, time);
    if (conditions === undefined) return;
    try {
      await client.update(namespaces, { ...namespace, status: { ...namespace.status, conditions } } as StoredNamespace, 'status');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      log.warn('the conditions of a namespace could not be written', { namespace: namespace.metadata.name ?? '', err: error.message });
    }
  }

  /** What is left wakes the namespace when it goes: sooner than the estimate, mostly. */
  #awaitLast(name: string, { left }: DeletionPass): void {
    this.#waiting.add(name);
    for (const { resource } of left) this.#follow(resource);
  }

  #follow({ group, resource }: GroupResource): void {
    const name = `${resource}.${group}`;
    if (this.#followed.has(name)) return;
    this.#followed.add(name);
    this.controller.follow(async (_enqueue, signal) => {
      const change = (type: string, item: { readonly namespace: string }) => {
        if (type === 'DELETED' && this.#waiting.has(item.namespace)) this.#wake(item.namespace);
      };
      await this.#options.sources.of({ group, resource }).follow({ begin: () => {}, change }, signal);
    });
  }

  #wake(namespace: string): void {
    if (this.#woken.has(namespace)) return;
    this.#woken.add(namespace);
    this.#options.timers.after(gatherMs, () => {
      this.#woken.delete(namespace);
      this.controller.enqueue(sourceKey({ namespace: '', name: namespace }));
    });
  }

  async #finalize(name: string, uid: string | undefined): Promise<void> {
    const { client } = this.#options;
    await retryOnConflict(async () => {
      const namespace = await client.find<StoredNamespace>(namespaces, '', name);
      if (namespace === undefined || namespace.metadata.uid !== uid) return;
      const finalizers = (namespace.spec.finalizers ?? []).filter((other) => other !== finalizer).sort();
      await unlessGone(client.update(namespaces, { ...namespace, spec: { ...namespace.spec, finalizers } }, 'finalize'));
    });
  }
}

function isEnding({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

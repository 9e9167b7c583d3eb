// Keeps the status of quotas true: takes over new limits, and counts again when something that is limited has gone.
// Admission counts upwards before every write; whatever it counted too much (a crash between the two) is found here.
import { ApiError } from '#api/api-error.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type ChangeType, type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { pause } from '#base/timers.ts';
import type { ListOf, ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type KeySource, keysOf, type LoopParts } from '#controllers/controller.ts';
import { isUnsettled, mayLower, missingStatus, type ResourceList, type StoredQuota } from '#controllers/resource-quota-reconcile.ts';

export interface QuotaControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  /** Which resources a quota is about. */
  readonly resourcesOf: (quota: StoredQuota) => readonly GroupResource[];
  /** Was this version written by admission, which changes nothing but the numbers? */
  readonly isCharge: (quota: SourceItem) => boolean;
  /** Undefined for what is not served. */
  readonly addressOf: (resource: GroupResource) => ResourceAddress | undefined;
  /** `certain` is false while requests are under way that are counted but perhaps not stored. */
  readonly count: (quota: StoredQuota, list: ListObjects) => Promise<{ used: ResourceList; certain: boolean }>;
}

export type ListObjects = (resource: GroupResource) => Promise<readonly KubernetesObject[] | undefined>;

const resourceQuotas: ResourceAddress = { group: '', version: 'v1', resource: 'resourcequotas', namespaced: true };
const pageSize = 500;
/** Changes that come together are counted together. */
const gatherMs = 100;
const againMs = 1000;
const recountMs = 5 * 60_000;

export function resourceQuotaController(options: QuotaControllerOptions): Controller {
  return new QuotaCounting(options).controller;
}

class QuotaCounting {
  readonly controller: Controller;
  readonly #options: QuotaControllerOptions;
  readonly #quotas: Source<StoredQuota>;
  /** By key the uid that was told last: one that was made again is counted again. */
  readonly #known = new Map<string, string | undefined>();
  readonly #watched = new Set<string>();

  constructor(options: QuotaControllerOptions) {
    this.#options = options;
    this.#quotas = options.sources.of(resourceQuotas);
    const sources = [keysOf(this.#quotas, (item, type) => this.#learn(item, type)), this.#recountNowAndThen];
    this.controller = controller({ ...options, name: 'resourcequota_primary', sources, gatherMs, reconcile: (key) => this.#settle(key) });
  }

  readonly #recountNowAndThen: KeySource = async (enqueue, signal) => {
    const repeat = async () => {
      while (!signal.aborted) {
        await pause(this.#options.timers, recountMs, signal);
        for (const key of this.#known.keys()) enqueue(key);
      }
    };
    void repeat();
  };

  /** The controller's own writes come back here too: they are settled and known. */
  #learn(item: SourceItem<StoredQuota>, type: ChangeType): readonly string[] {
    const key = sourceKey(item);
    if (type === 'DELETED') {
      this.#known.delete(key);
      return [];
    }
    if (type === 'MODIFIED' && this.#options.isCharge(item)) return [];
    const quota = item.object;
    const isNew = !this.#known.has(key) || this.#known.get(key) !== quota.metadata.uid;
    this.#known.set(key, quota.metadata.uid);
    for (const resource of this.#options.resourcesOf(quota)) this.#watch(resource);
    return isNew || isUnsettled(quota) ? [key] : [];
  }

  /** What a quota limits is followed from the first quota that limits it. */
  #watch(resource: GroupResource): void {
    const name = `${resource.resource}.${resource.group}`;
    if (this.#watched.has(name)) return;
    this.#watched.add(name);
    const enqueueAll = (enqueue: (key: string) => void, namespace?: string) => {
      for (const key of this.#about(resource, namespace)) enqueue(key);
    };
    this.controller.follow(async (enqueue, signal) => {
      const change = (type: ChangeType, item: SourceItem) => {
        if (type === 'DELETED' || (type === 'MODIFIED' && mayLower(resource, item))) enqueueAll(enqueue, item.namespace);
      };
      await this.#options.sources.of(resource).follow({ begin: () => enqueueAll(enqueue), change }, signal);
    });
  }

  #about({ group, resource }: GroupResource, namespace?: string): readonly string[] {
    const quotas = this.#quotas.list(namespace);
    return quotas.filter(({ object }) => this.#options.resourcesOf(object).some((one) => one.resource === resource && one.group === group)).map(sourceKey);
  }

  async #settle(key: string): Promise<{ readonly againMs?: number }> {
    try {
      return (await this.#write(key)).certain ? {} : { againMs };
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return {};
      // A request was charged meanwhile: counted again with what it left.
      if (error instanceof ApiError && error.code === 409) return { againMs: gatherMs };
      throw error;
    }
  }

  /** The quota is read before anything is counted: a charge meanwhile makes the write fail. */
  async #write(key: string): Promise<{ certain: boolean }> {
    const { namespace, name } = splitKey(key);
    const { client, count } = this.#options;
    const quota = this.#quotas.get(namespace, name)?.object;
    if (quota === undefined) return { certain: true };
    const { used, certain } = await count(quota, (resource) => this.#list(resource, namespace));
    const status = missingStatus(quota, used);
    if (status) await client.update(resourceQuotas, { ...quota, status } as unknown as StoredQuota, 'status');
    return { certain };
  }

  async #list(resource: GroupResource, namespace: string): Promise<readonly KubernetesObject[] | undefined> {
    const address = this.#options.addressOf(resource);
    if (address === undefined) return undefined;
    const all: KubernetesObject[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page: ListOf<KubernetesObject> = await this.#options.client.list(address, namespace, { limit: pageSize, ...(next && { continue: next }) });
      all.push(...(page.items ?? []));
      next = page.metadata.continue || undefined;
    }
    return all;
  }
}

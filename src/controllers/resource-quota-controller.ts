// Keeps the status of quotas true: takes over new limits, and counts again when something that is limited has gone.
// Admission counts upwards before every write; whatever it counted too much (a crash between the two) is found here.
import { ApiError } from '#api/api-error.ts';
import type { GroupResource } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Log } from '#base/log.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { ListOf, ResourceAddress, RestClient } from '#client/rest-client.ts';
import { isUnsettled, mayLower, missingStatus, type Readable, type ResourceList, type StoredQuota } from '#controllers/resource-quota-reconcile.ts';

export interface QuotaControllerOptions {
  readonly client: RestClient;
  readonly log: Log;
  readonly timers: Timers;
  readonly follow: Follow;
  /** Which resources a quota is about. */
  readonly resourcesOf: (quota: StoredQuota) => readonly GroupResource[];
  /** Was this version written by admission, which changes nothing but the numbers? */
  readonly isCharge: (quota: FollowedObject) => boolean;
  /** Undefined for what is not served. */
  readonly addressOf: (resource: GroupResource) => ResourceAddress | undefined;
  /** `certain` is false while requests are under way that are counted but perhaps not stored. */
  readonly count: (quota: StoredQuota, list: ListObjects) => Promise<{ used: ResourceList; certain: boolean }>;
}

export interface FollowedObject extends Readable {
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** Made when it is asked for. */
  readonly object: KubernetesObject;
}

export interface FollowListener {
  /** All there is, at the start and whenever changes may have been missed. */
  readonly begin: (all: readonly FollowedObject[]) => void;
  readonly change: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: FollowedObject) => void;
}

/** Until `signal` aborts. */
export type Follow = (resource: GroupResource, listener: FollowListener, signal: AbortSignal) => Promise<void>;

export type ListObjects = (resource: GroupResource) => Promise<readonly KubernetesObject[] | undefined>;

const resourceQuotas: ResourceAddress = { group: '', version: 'v1', resource: 'resourcequotas', namespaced: true };
const pageSize = 500;
/** Changes that come together are counted together. */
const gatherMs = 100;
const retryMs = 1000;
const recountMs = 5 * 60_000;

/** Until `signal` aborts. */
export async function runResourceQuota(options: QuotaControllerOptions, signal: AbortSignal): Promise<void> {
  const controller = new QuotaController(options, signal);
  await Promise.all([controller.watchQuotas(), controller.work(), controller.recountNowAndThen()]);
}

class QuotaController {
  readonly #options: QuotaControllerOptions;
  readonly #signal: AbortSignal;
  /** By namespace and name. */
  readonly #quotas = new Map<string, StoredQuota>();
  readonly #watched = new Map<string, Promise<void>>();
  readonly #due = new Set<string>();
  #wake: (() => void) | undefined;

  constructor(options: QuotaControllerOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  watchQuotas(): Promise<void> {
    const listener: FollowListener = {
      begin: (all) => {
        this.#quotas.clear();
        for (const quota of all) this.#learn(quota);
      },
      change: (type, quota) => {
        if (type === 'DELETED') this.#quotas.delete(keyOf(quota));
        else if (!this.#options.isCharge(quota)) this.#learn(quota);
      },
    };
    return this.#options.follow(resourceQuotas, listener, this.#signal);
  }

  async recountNowAndThen(): Promise<void> {
    while (!this.#signal.aborted) {
      await pause(this.#options.timers, recountMs, this.#signal);
      for (const key of this.#quotas.keys()) this.#queue(key);
    }
  }

  async work(): Promise<void> {
    while (!this.#signal.aborted) {
      if (this.#due.size === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
      await pause(this.#options.timers, gatherMs, this.#signal);
      const due = [...this.#due];
      this.#due.clear();
      for (const key of due) if (!this.#signal.aborted) await this.#settle(key);
    }
    await Promise.all(this.#watched.values());
  }

  /** Our own writes come back here too: they are settled and known. */
  #learn(followed: FollowedObject): void {
    const quota = followed.object as StoredQuota;
    const key = keyOf(followed);
    const isNew = this.#quotas.get(key)?.metadata.uid !== quota.metadata.uid;
    this.#quotas.set(key, quota);
    for (const resource of this.#options.resourcesOf(quota)) this.#watch(resource);
    if (isNew || isUnsettled(quota)) this.#queue(key);
  }

  #watch(resource: GroupResource): void {
    const name = `${resource.resource}.${resource.group}`;
    const address = this.#watched.has(name) ? undefined : this.#options.addressOf(resource);
    if (address === undefined) return;
    const listener: FollowListener = {
      begin: () => this.#recount(resource, undefined),
      change: (type, object) => {
        if (type === 'DELETED' || (type === 'MODIFIED' && mayLower(resource, object))) this.#recount(resource, object.namespace);
      },
    };
    this.#watched.set(name, this.#options.follow(resource, listener, this.#signal));
  }

  #recount({ group, resource }: GroupResource, namespace: string | undefined): void {
    for (const [key, quota] of this.#quotas) {
      if (namespace !== undefined && quota.metadata.namespace !== namespace) continue;
      if (this.#options.resourcesOf(quota).some((one) => one.resource === resource && one.group === group)) this.#queue(key);
    }
  }

  #queue(key: string): void {
    this.#due.add(key);
    this.#wake?.();
  }

  #queueLater(key: string): void {
    void pause(this.#options.timers, retryMs, this.#signal).then(() => this.#queue(key));
  }

  async #settle(key: string): Promise<void> {
    try {
      const { certain } = await this.#write(key);
      if (!certain) this.#queueLater(key);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return;
      const lost = error instanceof ApiError && error.code === 409;
      if (!lost && !this.#signal.aborted) this.#options.log.warn('a quota could not be counted', { quota: key, error: String(error) });
      if (lost) this.#queue(key);
      else this.#queueLater(key);
    }
  }

  /** The quota is read before anything is counted: whoever is charged meanwhile makes the write fail. */
  async #write(key: string): Promise<{ certain: boolean }> {
    const [namespace = '', name = ''] = key.split('/');
    const { client, count } = this.#options;
    if (!this.#quotas.has(key)) return { certain: true };
    const quota = await client.get<StoredQuota>(resourceQuotas, namespace, name);
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

function keyOf({ namespace, name }: FollowedObject): string {
  return `${namespace}/${name}`;
}

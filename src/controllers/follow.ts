// The plumbing of a small controller: one collection followed, one key worked on at a time, failures tried again later.
import type { KubernetesObject } from '#api/object.ts';
import type { Log } from '#base/log.ts';
import { systemTimers, type Timers } from '#base/timers.ts';
import { Informer } from '#client/informer.ts';
import { keyOf, type ObjectReader } from '#client/object-store.ts';
import { itemBackoff } from '#client/rate-limit.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { WorkQueue } from '#client/work-queue.ts';

export interface FollowOptions<T> {
  readonly client: RestClient;
  readonly log: Log;
  readonly random: () => number;
  readonly timers?: Timers;
  readonly resource: ResourceAddress;
  readonly fieldSelector?: string;
  /** What has to be looked at when an object changes. Default: that object. */
  readonly affects?: (object: T, all: ObjectReader<T>) => Iterable<string>;
  /** Brings the world in step with the object; undefined: it is gone. Called again after a failure, and with every change. */
  readonly reconcile: (object: T | undefined, key: string, all: ObjectReader<T>) => Promise<void>;
}

const retry = { firstMs: 1_000, maxMs: 10_000 };

/** Until `signal` aborts. */
export async function follow<T extends KubernetesObject>(options: FollowOptions<T>, signal: AbortSignal): Promise<void> {
  const { client, resource, random, fieldSelector, log, timers = systemTimers, reconcile } = options;
  const { affects = (object: T) => [keyOf(object)] } = options;
  const informer = new Informer<T>({ client, resource, random, log, timers, ...(fieldSelector !== undefined && { fieldSelector }) });
  const queue = new WorkQueue({ timers, limit: itemBackoff(retry) });
  const look = (object: T) => {
    for (const key of affects(object, informer.store)) queue.add(key);
  };
  informer.addHandler({ added: look, updated: (_, object) => look(object), removed: look });
  signal.addEventListener('abort', () => queue.shutDown(), { once: true });
  const perform = async (key: string) => {
    if (!signal.aborted) await reconcile(informer.store.get(key), key, informer.store);
  };
  const tryAgain = (key: string, error: unknown) => {
    if (!signal.aborted) log.warn('a controller tries again', { resource: resource.resource, key, err: String(error) });
  };
  await Promise.all([informer.run(signal), queue.work(perform, tryAgain)]);
}

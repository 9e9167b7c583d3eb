// A store with pods in it and a cache over them, for tests of the cache.
import type { KubernetesObject } from '#api/object.ts';
import type { StoredForm } from '#api/stored-form.ts';
import { type CacheEvent, type CacheWatcher, WatchCache, type WatchCacheOptions, type WatchQuery } from '#cache/watch-cache.ts';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { jsonForm } from '#resource/json-form.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import type { Store } from '#store/store.ts';

export const podPrefix = '/registry/pods/';

export interface PodFacts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly nodeName?: string;
  readonly phase?: string;
  readonly padding?: number;
}

export function podBytes(namespace: string, name: string, { labels, nodeName, phase, padding }: PodFacts = {}): Buffer {
  const metadata = { name, namespace, uid: `uid-of-${namespace}-${name}`, labels };
  const annotations = padding === undefined ? undefined : { padding: 'x'.repeat(padding) };
  return Buffer.from(
    JSON.stringify({ kind: 'Pod', apiVersion: 'v1', metadata: { ...metadata, annotations }, spec: { containers: [], nodeName }, status: { phase } }),
  );
}

/** Pods of tests are not complete: what is read of them is what stands there. */
export const podForm: StoredForm = {
  ...jsonForm({ group: '', version: 'v1', kind: 'Pod', schema: Pod }),
  parse: (json) => JSON.parse(json.toString()) as KubernetesObject,
};

export function podFields(pod: KubernetesObject): Record<string, string> {
  const { spec, status } = pod as { spec?: { nodeName?: string }; status?: { phase?: string } };
  return {
    'metadata.name': pod.metadata.name ?? '',
    'metadata.namespace': pod.metadata.namespace ?? '',
    'spec.nodeName': spec?.nodeName ?? '',
    'status.phase': status?.phase ?? '',
  };
}

/** Writes whatever is there now; returns the revision. */
export async function putPod(store: Store, namespace: string, name: string, facts: PodFacts = {}): Promise<number> {
  return write(store, `${podPrefix}${namespace}/${name}`, podBytes(namespace, name, facts));
}

export async function deletePod(store: Store, namespace: string, name: string): Promise<number> {
  return write(store, `${podPrefix}${namespace}/${name}`, undefined);
}

export async function write(store: Store, key: string, value: Buffer | undefined): Promise<number> {
  for (;;) {
    const current = await store.get(key);
    if (current === undefined && value === undefined) return store.revision();
    const result = await store.compareAndSet(key, current?.revision ?? 0, value);
    if (result.committed) return result.revision;
  }
}

export interface CachedPods {
  readonly store: Store;
  readonly cache: WatchCache;
  /** A watch that must be possible. */
  watch(query?: Partial<WatchQuery>): CacheWatcher;
  [Symbol.asyncDispose](): Promise<void>;
}

export function podCacheOptions(store: Store): WatchCacheOptions {
  return { store, prefix: podPrefix, namespaced: true, form: podForm, fieldsOf: podFields, indexedFields: ['spec.nodeName'], learnsAfter: 0 };
}

export async function cachedPods(options: Partial<WatchCacheOptions> = {}, store: Store = openMemoryStore()): Promise<CachedPods> {
  const cache = new WatchCache({ ...podCacheOptions(store), ...options });
  cache.start();
  await cache.ready;
  return {
    store,
    cache,
    watch: (query = {}) => {
      const watcher = cache.watch({ namespace: '', after: 'now', bookmarks: false, ...query });
      if (watcher === 'too-old') throw new Error('too old');
      return watcher;
    },
    [Symbol.asyncDispose]: async () => {
      await cache.stop();
      await store.close();
    },
  };
}

/** `ADDED default/web 5`: enough to compare sequences of events. */
export function describeEvent({ type, item, revision, initialEnd }: CacheEvent): string {
  const subject = item ? ` ${item.namespace}/${item.name}` : '';
  return `${type}${subject} ${revision}${initialEnd ? ' initial end' : ''}`;
}

/** The next `count` events, or as many as come before the watcher ends. */
export async function take(watcher: CacheWatcher, count: number): Promise<CacheEvent[]> {
  const events: CacheEvent[] = [];
  while (events.length < count) {
    const { done, value } = await watcher.next();
    if (done) break;
    events.push(...value);
  }
  return events;
}

export async function describeNext(watcher: CacheWatcher, count: number): Promise<string[]> {
  return (await take(watcher, count)).map(describeEvent);
}

import { join } from 'node:path';
import { rewriteOf } from '#app/encryption/rewrite.ts';
import { fillPrepared, preparedFor } from '#app/first-start/prepared-objects.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Metric } from '#base/metrics.ts';
import type { Timers } from '#base/timers.ts';
import { keepCompacted } from '#store/keep-compacted.ts';
import type { Place, Placement } from '#store/places.ts';
import type { Store } from '#store/store.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Resources whose objects lie in other stores. */
  readonly placements?: readonly Placement[];
  /** What every cluster begins with was written while the store was opened, whole: the bootstrap need not look for it. */
  readonly isFilled: boolean;
  /** What is counted about its calls. */
  readonly metrics?: readonly Metric[];
}

/** Where objects live: in a data directory, in the memory of this process, or in an etcd that servers share. */
export type StoreKind = 'embedded' | 'memory' | 'etcd';

export type OpenStore = (kind: StoreKind, options: ServerOptions, clock: Clock) => Promise<OpenedStore>;

/** The stub of an environment of envtest stands for memory. */
export async function storeKind({ memory, dataDir, etcdServers }: ServerOptions): Promise<StoreKind> {
  if (etcdServers.length > 0) {
    if (memory) throw new FlagError('--memory: leave it out, or leave out --etcd-servers');
    const { findEtcd } = await import('#app/envtest/etcd-stub.ts');
    return (await findEtcd(etcdServers)) === 'stub' ? 'memory' : 'etcd';
  }
  if (dataDir === '' && !memory) throw new FlagError('--etcd-servers must be specified');
  return memory ? 'memory' : 'embedded';
}

/** A store of our own that is new gets what the build has prepared. */
export async function openStore(kind: StoreKind, options: ServerOptions, clock: Clock): Promise<OpenedStore> {
  if (kind === 'etcd') return (await import('#app/etcd/open-etcd.ts')).openEtcdStores(options, clock);
  if (options.flags.list('etcd-servers-overrides').length > 0)
    throw new FlagError('--etcd-servers-overrides: objects are not in an etcd: give --etcd-servers too');
  const rewriting = kind === 'embedded' ? rewriteOf(options) : undefined;
  const store = await openBareStore(kind, options, clock, rewriting?.isDue);
  rewriting?.done();
  const prepared = (await store.revision()) === newStore ? preparedFor(options) : undefined;
  if (prepared !== undefined) await fillPrepared(store, prepared, clock);
  return { store, isFilled: prepared !== undefined };
}

/** The revision of a store that nothing was ever written to. */
const newStore = 1;

/** As it is. Only the store that is used gets loaded. */
export async function openBareStore(kind: StoreKind, options: ServerOptions, clock: Clock, rewrite = false): Promise<Store> {
  if (kind === 'etcd') return (await import('#app/etcd/open-etcd.ts')).openEtcd(options, clock);
  if (kind === 'memory') {
    const { openMemoryStore } = await import('#store/memory/memory-store.ts');
    return openMemoryStore({ clock });
  }
  const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
  return openEmbeddedStore(join(options.dataDir, 'store'), { clock, rewrite });
}

interface Compacting extends Place {
  readonly timers: Timers;
  readonly log: Log;
}

export function compactRegularly({ flags }: ServerOptions, { store, retention, timers, log }: Compacting, signal: AbortSignal): Promise<void> {
  const intervalMs = flags.durationMs('etcd-compaction-interval');
  const onFailure = (error: Error) => log.error('history could not be compacted', error);
  return keepCompacted(store, { intervalMs, retention, timers, onFailure }, signal);
}

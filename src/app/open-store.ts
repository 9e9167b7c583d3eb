import { join } from 'node:path';
import { fillPrepared, preparedFor } from '#app/first-start/prepared-objects.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { keepCompacted } from '#store/keep-compacted.ts';
import type { Retention } from '#store/retention.ts';
import type { Store } from '#store/store.ts';

export type OpenStore = (options: ServerOptions, clock: Clock) => Promise<Store>;

/** Where the objects live. One that is new gets what the build has prepared. */
export async function openStore(options: ServerOptions, clock: Clock): Promise<Store> {
  const store = await openChosen(options, clock);
  const prepared = (await store.revision()) === newStore ? preparedFor(options) : undefined;
  if (prepared !== undefined) await fillPrepared(store, prepared, clock);
  return store;
}

/** The revision of a store that nothing was ever written to. */
const newStore = 1;

/** Only the store that is used gets loaded. */
async function openChosen({ memory, dataDir, etcdServers }: ServerOptions, clock: Clock): Promise<Store> {
  if (dataDir === '' && !memory) throw new FlagError('--etcd-servers must be specified');
  if (etcdServers.length > 0) {
    const { requireStubs } = await import('#app/envtest/etcd-stub.ts');
    await requireStubs(etcdServers);
  }
  if (memory) {
    const { openMemoryStore } = await import('#store/memory/memory-store.ts');
    return openMemoryStore({ clock });
  }
  const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
  return openEmbeddedStore(join(dataDir, 'store'), { clock });
}

interface Compacting {
  readonly store: Store;
  readonly retention: Retention;
  readonly timers: Timers;
  readonly log: Log;
}

export function compactRegularly({ flags }: ServerOptions, { store, retention, timers, log }: Compacting, signal: AbortSignal): Promise<void> {
  const intervalMs = flags.durationMs('etcd-compaction-interval');
  const onFailure = (error: Error) => log.error('history could not be compacted', error);
  return keepCompacted(store, { intervalMs, retention, timers, onFailure }, signal);
}

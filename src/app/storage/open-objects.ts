// All objects of a store, read without a server: one by one, as JSON.
import { openEncryption } from '#app/encryption/encryption.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { openBareStore, type StoreKind } from '#app/open-store.ts';
import { customKinds, isBook, type StoredKinds, storedKinds } from '#app/storage/stored-kinds.ts';
import { resourcesIn } from '#app/stored-resources.ts';
import { systemClock } from '#base/clock.ts';
import { featureGates } from '#base/feature-gates.ts';
import { silentLog } from '#base/log.ts';
import { messageOf } from '#base/message-of.ts';
import { systemTimers } from '#base/timers.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { storeRoot } from '#resource/keys.ts';
import { type Entry, rangeOf, type Store } from '#store/store.ts';

export interface OpenedObjects extends AsyncDisposable {
  readonly kind: StoreKind;
  readonly store: Store;
  /** Those that are built in, and the custom ones given. */
  kinds(custom: readonly ResourceDefinition[]): StoredKinds;
  /** Whose definitions are there now. */
  custom(): Promise<readonly ResourceDefinition[]>;
}

export async function openObjects(kind: StoreKind, options: ServerOptions): Promise<OpenedObjects> {
  const means = { clock: systemClock, timers: systemTimers, log: silentLog, gate: featureGates(options.featureGates) };
  const encryption = await openEncryption(options, kind, means);
  const store = await openBareStore(kind, options, systemClock);
  const resources = await resourcesIn(kind, options);
  const kinds = (custom: readonly ResourceDefinition[]) => storedKinds(encryption.asStored([...resources, ...custom]));
  return {
    kind,
    store,
    kinds,
    custom: () => customKinds(store, kinds([])),
    async [Symbol.asyncDispose]() {
      encryption.stop();
      await store.close();
    },
  };
}

export type ReadObject = { readonly entry: Entry; readonly resource: ResourceDefinition } & ({ readonly json: Buffer } | { readonly problem: string });

export type Found = ReadObject | { readonly entry: Entry; readonly resource: undefined; readonly isBook: boolean };

const PAGE = 200;

/** Everything at one moment, in the order of the keys. */
export async function* allObjects({ store, ...opened }: Pick<OpenedObjects, 'store' | 'kinds' | 'custom'>): AsyncGenerator<Found> {
  const kinds = opened.kinds(await opened.custom());
  const at = await store.revision();
  const everything = rangeOf(storeRoot);
  let { start } = everything;
  for (;;) {
    const { entries, more } = await store.list({ start, end: everything.end }, { at, limit: PAGE });
    for (const entry of entries) yield await found(entry, kinds);
    const last = entries.at(-1);
    if (!more || last === undefined) return;
    start = `${last.key}\0`;
  }
}

async function found(entry: Entry, kinds: StoredKinds): Promise<Found> {
  const resource = kinds.of(entry.key);
  if (resource === undefined) return { entry, resource, isBook: isBook(entry.key) };
  try {
    const [json = entry.value] = (await resource.form.fromStore?.([entry])) ?? [];
    return { entry, resource, json: Buffer.from(json) };
  } catch (error) {
    return { entry, resource, problem: messageOf(error) };
  }
}

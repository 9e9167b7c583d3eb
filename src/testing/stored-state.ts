// The whole content of a store as data: what a server begins with, and what `reset()` goes back to.
import { type Entry, rangeOf, type Store } from '#store/store.ts';

export type StoredState = ReadonlyMap<string, Entry>;

const everything = rangeOf('/registry/');
const definitions = '/registry/apiextensions.k8s.io/customresourcedefinitions/';
const namespaces = '/registry/namespaces/';
/** The server renews its own lease while it runs, and finds it gone or changed only at the price of an error in the log. */
const ownLeases = '/registry/leases/kube-system/apiserver-';

export async function storedStateOf(store: Store): Promise<StoredState> {
  const { entries } = await store.list(everything);
  return new Map(entries.filter(({ key }) => !key.startsWith(ownLeases)).map((entry) => [entry.key, { ...entry, value: Uint8Array.from(entry.value) }]));
}

/** Into an empty store. */
export async function fillStore(store: Store, state: StoredState): Promise<void> {
  for (const { key, value } of state.values()) await store.compareAndSet(key, 0, value);
}

/** Controllers may write while the state is put back: what they changed is looked at once more, this often. */
const attempts = 10;

/**
 * Puts a store back, below admission and finalizers: keys that `state` does not have go, changed ones get their value back. Watchers see every
 * change as an event. Returns the keys that were deleted, changed or made again.
 */
export async function restoreState(store: Store, state: StoredState): Promise<ReadonlySet<string>> {
  const touched = new Set<string>();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = await storedStateOf(store);
    const extra = [...now.values()].filter(({ key }) => !state.has(key)).sort((one, other) => rankOf(one.key) - rankOf(other.key));
    // Definitions first: their objects come back into kinds that are served.
    const changed = [...state.values()]
      .filter(({ key, value }) => !isSame(now.get(key)?.value, value))
      .sort((one, other) => rankOf(other.key) - rankOf(one.key));
    if (extra.length === 0 && changed.length === 0) return touched;
    // A conflict means that somebody wrote meanwhile: the next attempt sees it.
    for (const { key, revision } of extra) await store.compareAndSet(key, revision, undefined);
    for (const { key, value } of changed) await store.compareAndSet(key, now.get(key)?.revision ?? 0, value);
    for (const { key } of [...extra, ...changed]) touched.add(key);
  }
  throw new Error('the server could not be reset: something goes on writing to it');
}

/** Objects before their namespaces, and those before the definitions: watchers hear of an object's end before its kind is gone. */
function rankOf(key: string): number {
  if (key.startsWith(definitions)) return 2;
  return key.startsWith(namespaces) ? 1 : 0;
}

/** The names of definitions among keys: `widgets.example.com`. */
export function definitionsAmong(keys: Iterable<string>): readonly string[] {
  return [...keys].filter((key) => key.startsWith(definitions)).map((key) => key.slice(definitions.length));
}

function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.compare(one, other) === 0;
}

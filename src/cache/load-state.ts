// The first read of a resource: all of it at one revision, letting others have their turn in between.
import { nextTurn } from '#base/next-turn.ts';
import type { ItemKind } from '#cache/cache-item.ts';
import { CacheState } from '#cache/cache-state.ts';
import type { HistoryLimits } from '#cache/history.ts';
import { servedEntries } from '#cache/served-entries.ts';
import { type Entry, type KeyRange, rangeOf, type StoreReader } from '#store/store.ts';

const PAGE = 200;

/** Throws CompactedError when the store forgot the revision meanwhile: begin again. */
export async function loadState(store: StoreReader, kind: ItemKind, limits: HistoryLimits, signal: AbortSignal): Promise<CacheState> {
  const stateAt = (revision: number) => new CacheState(kind, limits, revision);
  if (kind.form.fromStore === undefined) return visited(store, rangeOf(kind.prefix), stateAt, signal);
  return paged(store, kind, stateAt, signal);
}

type StateAt = (revision: number) => CacheState;

async function visited(store: StoreReader, range: KeyRange, stateAt: StateAt, signal: AbortSignal): Promise<CacheState> {
  let state = stateAt(0);
  const begin = (revision: number) => {
    state = stateAt(revision);
    return (entry: Entry) => state.insert(entry);
  };
  await store.visitAll(range, begin, signal);
  return state;
}

async function paged(store: StoreReader, { prefix, form }: ItemKind, stateAt: StateAt, signal: AbortSignal): Promise<CacheState> {
  const range = rangeOf(prefix);
  let page = await store.list(range, { limit: PAGE });
  const state = stateAt(page.revision);
  for (;;) {
    for (const entry of await servedEntries(form, page.entries)) state.insert(entry);
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return state;
    await nextTurn();
    signal.throwIfAborted();
    page = await store.list({ start: `${last.key}\0`, end: range.end }, { limit: PAGE, at: state.history.floor });
  }
}

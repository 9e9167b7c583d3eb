// The first read of a resource: all of it at one revision, letting others have their turn in between.
import { nextTurn } from '#base/next-turn.ts';
import type { ItemKind } from '#cache/cache-item.ts';
import { CacheState } from '#cache/cache-state.ts';
import type { HistoryLimits } from '#cache/history.ts';
import { servedEntries } from '#cache/served-entries.ts';
import { type Entry, type KeyRange, type ListOptions, type Page, rangeOf, type StoreReader } from '#store/store.ts';

/** So many objects are taken in before others have their turn. */
const SLICE = 200;
/** Of a page: etcd counts all keys of a range for every page of it, so that small ones of very many objects cost more than what they bring. */
const PAGE_BYTES = 4 << 20;
const MOST_OF_PAGE = 5_000;

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

/** The next page is on its way while the objects of one are made. */
async function paged(store: StoreReader, { prefix, form }: ItemKind, stateAt: StateAt, signal: AbortSignal): Promise<CacheState> {
  const range = rangeOf(prefix);
  let page = await store.list(range, { limit: SLICE });
  const state = stateAt(page.revision);
  for (;;) {
    const last = page.more ? page.entries.at(-1) : undefined;
    const next = last && asked(store, { start: `${last.key}\0`, end: range.end }, { limit: nextLimit(page), at: state.history.floor });
    for (let at = 0; at < page.entries.length; at += SLICE) {
      if (at > 0) await nextTurn();
      signal.throwIfAborted();
      for (const entry of await servedEntries(form, page.entries.slice(at, at + SLICE))) state.insert(entry);
    }
    if (next === undefined) return state;
    await nextTurn();
    page = await next;
  }
}

/** Who waits for it comes later: a failure until then is no unhandled one. */
function asked(store: StoreReader, range: KeyRange, options: ListOptions): Promise<Page> {
  const page = Promise.resolve(store.list(range, options));
  page.catch(() => undefined);
  return page;
}

function nextLimit({ entries }: Page): number {
  const bytes = entries.reduce((sum, { value }) => sum + value.length, 0);
  return Math.max(1, Math.min(MOST_OF_PAGE, Math.floor((PAGE_BYTES * entries.length) / Math.max(1, bytes))));
}

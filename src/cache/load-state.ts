// The first read of a resource: page by page at one revision, letting others have their turn in between.
import { nextTurn } from '#base/next-turn.ts';
import type { ItemKind } from '#cache/cache-item.ts';
import { CacheState } from '#cache/cache-state.ts';
import type { HistoryLimits } from '#cache/history.ts';
import { rangeOf, type StoreReader } from '#store/store.ts';

const PAGE = 200;

/** Throws CompactedError when the store forgot the revision meanwhile: begin again. */
export async function loadState(store: StoreReader, kind: ItemKind, limits: HistoryLimits, signal: AbortSignal): Promise<CacheState> {
  const range = rangeOf(kind.prefix);
  let page = await store.list(range, { limit: PAGE });
  const state = new CacheState(kind, limits, page.revision);
  for (;;) {
    for (const entry of page.entries) state.insert(entry);
    const last = page.entries.at(-1);
    if (!page.more || last === undefined) return state;
    await nextTurn();
    signal.throwIfAborted();
    page = await store.list({ start: `${last.key}\0`, end: range.end }, { limit: PAGE, at: state.history.floor });
  }
}

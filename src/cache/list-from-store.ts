// The state at a revision older than the history of the cache: read from the store, which remembers longer.
import { internalError } from '#api/api-error.ts';
import { UnreadableError } from '#api/unreadable-error.ts';
import { Turn } from '#base/next-turn.ts';
import { type ItemKind, transientItem, type StoredItem } from '#cache/cache-item.ts';
import type { ListQuery, ListResult } from '#cache/list-items.ts';
import type { Matcher } from '#cache/selection.ts';
import { servedEntries } from '#cache/served-entries.ts';
import { compareKeys } from '#store/key-order.ts';
import type { Retention } from '#store/retention.ts';
import { CompactedError, type KeyRange, type StoreReader } from '#store/store.ts';

const PAGE = 200;

export interface StoreReading {
  readonly store: StoreReader;
  readonly kind: ItemKind;
  readonly matcher: Matcher;
  readonly query: ListQuery;
  readonly revision: number;
  readonly retention: Retention;
}

export async function listFromStore(reading: StoreReading): Promise<ListResult | 'compacted'> {
  const release = reading.retention.pin(reading.revision);
  try {
    return await readPages(reading);
  } catch (error) {
    if (error instanceof CompactedError) return 'compacted';
    throw error instanceof UnreadableError ? internalError(error.message, error) : error;
  } finally {
    release();
  }
}

async function readPages({ store, kind, matcher, query, revision }: StoreReading): Promise<ListResult> {
  const { end } = matcher.range;
  const items: StoredItem[] = [];
  // A page of large objects that a selector has to parse is more than one turn has time for.
  const turn = new Turn();
  let start = query.after !== undefined && compareKeys(query.after, matcher.range.start) > 0 ? query.after : matcher.range.start;
  while (compareKeys(start, end) < 0) {
    const { entries, more } = await store.list({ start, end }, { at: revision, limit: PAGE });
    for (const entry of await servedEntries(kind.form, entries)) {
      if (items.length === query.limit) return { items, revision, next: entry.key, ...(matcher.everything && (await rest(store, { start: entry.key, end }))) };
      const item = transientItem(kind, entry);
      if (matcher.matches(item)) items.push(item);
      const others = turn.next();
      if (others) await others;
    }
    if (!more) break;
    start = `${entries.at(-1)?.key ?? end}\0`;
  }
  return { items, revision };
}

/** The count is that of today, an estimate: the store does not count the past. */
async function rest(store: StoreReader, range: KeyRange): Promise<Pick<ListResult, 'remaining'>> {
  return { remaining: await store.count(range) };
}

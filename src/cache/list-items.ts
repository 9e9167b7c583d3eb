// Which items a list holds: the whole of a range, the few an index names, or what a scan finds.
import type { Clock } from '#base/clock.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { CacheItem, StoredItem } from '#cache/cache-item.ts';
import type { FieldIndexes } from '#cache/field-index.ts';
import type { OrderedView } from '#cache/ordered-items.ts';
import type { Matcher, Selection } from '#cache/selection.ts';
import { compareKeys } from '#store/key-order.ts';

export interface ListQuery extends Selection {
  readonly limit?: number | undefined;
  /** The first key to return: `next` of the page before. */
  readonly after?: string | undefined;
}

/** Without selectors: no item has to be looked at. */
export interface RangeQuery {
  readonly namespace: string;
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly name?: undefined;
  readonly labels?: undefined;
  readonly fields?: undefined;
}

export interface ListResult {
  readonly items: readonly CacheItem[];
  readonly revision: number;
  /** Where the next page begins. With selectors it may turn out to be empty, as in the original. */
  readonly next?: string | undefined;
  /** How many follow; only without selectors. */
  readonly remaining?: number | undefined;
}

export interface ListSource {
  /** May change in later turns. */
  readonly view: OrderedView<StoredItem>;
  /** Of the same state, never changing. */
  snapshot(): OrderedView<StoredItem>;
  /** Only those of the very same state. */
  readonly indexes: FieldIndexes | undefined;
  readonly revision: number;
}

/** Up to so many items are looked at without a break. */
const SHORT = 256;
/** So many between two looks at the clock, or so much: a selector may have to parse them. */
const GLANCE = 64;
const GLANCE_BYTES = 128 << 10;
const SLICE_MS = 4;

/** A promise when the scan is long: it yields to others, on a snapshot. */
export function listItems(source: ListSource, matcher: Matcher, query: ListQuery, clock: Clock): ListResult | Promise<ListResult> {
  const few = namedItems(source, matcher);
  if (few) return pageOf(notBefore(few, query.after), { matcher, query, revision: source.revision, clock });
  const { view, revision } = source;
  const start = view.rank(laterKey(matcher.range.start, query.after));
  const end = Math.max(start, view.rank(matcher.range.end));
  if (matcher.everything) return { ...sliceOf(view, start, end, query.limit), revision };
  const scanning = { matcher, query, revision, clock };
  if (end - start <= SHORT) return pageOf(view.slice(start, end - start), scanning);
  return scan(source.snapshot().runsFrom(start), end - start, scanning);
}

/** What could match, in order; on a state that does not change under the reader. */
export function candidates(source: ListSource, matcher: Matcher): Iterator<StoredItem, undefined> {
  const few = namedItems(source, matcher);
  return few ? fromArray(few) : between(source.snapshot(), matcher);
}

function* fromArray(items: readonly StoredItem[]): Generator<StoredItem, undefined> {
  yield* items;
}

function* between(view: OrderedView<StoredItem>, { range }: Matcher): Generator<StoredItem, undefined> {
  const start = view.rank(range.start);
  let left = view.rank(range.end) - start;
  for (const item of view.from(start)) {
    if (left-- <= 0) return;
    yield item;
  }
}

/** In order, when a key or an index tells them; undefined when they must be searched for. */
function namedItems({ view, indexes }: ListSource, { key, index }: Matcher): StoredItem[] | undefined {
  if (key !== undefined) {
    const item = view.get(key);
    return item ? [item] : [];
  }
  if (index === undefined || indexes === undefined) return undefined;
  return [...indexes.items(index.index, index.value)].sort((a, b) => compareKeys(a.key, b.key));
}

function sliceOf(view: OrderedView<StoredItem>, start: number, end: number, limit = Number.POSITIVE_INFINITY): Omit<ListResult, 'revision'> {
  const count = Math.min(limit, end - start);
  const items = view.slice(start, count);
  const remaining = end - start - count;
  return remaining === 0 ? { items } : { items, next: view.at(start + count)?.key, remaining };
}

function notBefore(items: readonly StoredItem[], after: string | undefined): readonly StoredItem[] {
  return after === undefined ? items : items.filter(({ key }) => compareKeys(key, after) >= 0);
}

/** At once where they are few and small. */
function pageOf(few: readonly StoredItem[], scanning: Scan): ListResult | Promise<ListResult> {
  const { matcher, query, revision } = scanning;
  if (few.length > SHORT || glanceEnd(few, 0, few.length, SHORT) < few.length) return scan([few], few.length, scanning);
  const items: StoredItem[] = [];
  const next = addMatches(few, matcher, items, query.limit ?? Number.POSITIVE_INFINITY);
  return next === undefined ? { items, revision } : { items, revision, next: next.key };
}

interface Scan {
  readonly matcher: Matcher;
  readonly query: ListQuery;
  readonly revision: number;
  readonly clock: Clock;
}

async function scan(runs: Iterable<readonly StoredItem[]>, count: number, { matcher, query, revision, clock }: Scan): Promise<ListResult> {
  const items: StoredItem[] = [];
  const most = query.limit ?? Number.POSITIVE_INFINITY;
  let left = count;
  let sliceEnd = clock.now().getTime() + SLICE_MS;
  for (const run of runs) {
    for (let at = 0, end = 0; at < run.length && left > 0; at = end) {
      end = glanceEnd(run, at, Math.min(run.length, at + left), GLANCE);
      const next = addMatches(run.slice(at, end), matcher, items, most);
      if (next !== undefined) return { items, revision, next: next.key };
      left -= end - at;
      if (clock.now().getTime() < sliceEnd) continue;
      await nextTurn();
      sliceEnd = clock.now().getTime() + SLICE_MS;
    }
    if (left === 0) break;
  }
  return { items, revision };
}

/** Where a look at `items` from `at` on ends: at least one of them. */
function glanceEnd(items: readonly StoredItem[], at: number, last: number, most: number): number {
  const furthest = Math.min(last, at + most);
  let end = at;
  for (let bytes = 0; end < furthest && bytes < GLANCE_BYTES; end++) bytes += (items[end] as StoredItem).byteLength;
  return end;
}

/** Adds those that match; returns the one at which there were enough. */
function addMatches(seen: readonly StoredItem[], matcher: Matcher, items: StoredItem[], most: number): StoredItem | undefined {
  for (const item of seen) {
    if (items.length === most) return item;
    if (matcher.matches(item)) items.push(item);
  }
  return undefined;
}

function laterKey(start: string, after: string | undefined): string {
  return after !== undefined && compareKeys(after, start) > 0 ? after : start;
}

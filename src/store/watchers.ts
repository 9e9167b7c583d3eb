// Live delivery of changes to the watches of one store, shared by the stores that run in this process.
// A watch is either `live` (changes are queued for it as they are published) or `replaying` (it reads history until
// it has caught up). One that does not drain its queue falls back to replaying, so no queue grows without bound.
import { compareKeys } from '#store/key-order.ts';
import { type Change, CompactedError, type KeyRange, type Revision } from '#store/store.ts';
import { nextTurn } from '#store/turn.ts';

/** Changes of a range after a revision. `upTo` says how far the search went; it may stop early, but must advance while there is more. */
export type ReadHistory = (range: KeyRange, after: Revision) => { readonly changes: readonly Change[]; readonly upTo: Revision };

export interface History {
  /** Of the last published change. */
  revision(): Revision;
  compactedAt(): Revision;
  read: ReadHistory;
}

const QUEUE_LIMIT = 10_000;

export class Watchers {
  readonly #history: History;
  readonly #watches = new Set<Watch>();
  #segments: Segments | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<readonly Change[]> {
    const onAbort = () => watch.end();
    const onEnd = () => {
      signal.removeEventListener('abort', onAbort);
      this.#remove(watch);
    };
    const watch = new Watch(range, after, this.#history, onEnd);
    this.#watches.add(watch);
    this.#segments = undefined;
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) watch.end();
    return watch;
  }

  /** `changes` are in order and all newer than those published before; history already holds them. */
  publish(changes: readonly Change[]): void {
    this.#segments ??= segmentsOf([...this.#watches]);
    const touched = new Set<Watch>();
    for (const change of changes) {
      for (const watch of watchesAt(this.#segments, change.key)) {
        watch.offer(change);
        touched.add(watch);
      }
    }
    for (const watch of touched) watch.wake();
  }

  end(): void {
    for (const watch of this.#watches) watch.end();
  }

  #remove(watch: Watch): void {
    if (this.#watches.delete(watch)) this.#segments = undefined;
  }
}

type Step = IteratorResult<readonly Change[], undefined>;
const done: Step = { done: true, value: undefined };

class Watch implements AsyncIterableIterator<readonly Change[], undefined> {
  readonly range: KeyRange;
  readonly #history: History;
  readonly #onEnd: () => void;
  #state: 'replaying' | 'live' | 'ended' = 'replaying';
  /** Everything up to here has been handed over or is queued. */
  #cursor: Revision;
  /** Everything up to here has been handed over. */
  #delivered: Revision;
  #queue: Change[] = [];
  #wakeUp: ((step: Step) => void) | undefined;

  constructor(range: KeyRange, after: Revision, history: History, onEnd: () => void) {
    this.range = range;
    this.#cursor = after;
    this.#delivered = after;
    this.#history = history;
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async return(): Promise<Step> {
    this.end();
    return done;
  }

  next(): Promise<Step> {
    if (this.#state === 'ended') return Promise.resolve(done);
    if (this.#state === 'replaying') return this.#replay();
    if (this.#queue.length > 0) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
    });
  }

  offer(change: Change): void {
    if (this.#state !== 'live' || change.revision <= this.#cursor) return;
    if (this.#queue.length >= QUEUE_LIMIT) return this.#fallBack();
    this.#cursor = change.revision;
    this.#queue.push(change);
  }

  wake(): void {
    if (this.#wakeUp === undefined || this.#queue.length === 0) return;
    const wakeUp = this.#wakeUp;
    this.#wakeUp = undefined;
    wakeUp(this.#take());
  }

  end(): void {
    this.#state = 'ended';
    this.#queue = [];
    this.#wakeUp?.(done);
    this.#wakeUp = undefined;
    this.#onEnd();
  }

  #take(): Step {
    const batch = this.#queue;
    this.#queue = [];
    this.#delivered = this.#cursor;
    return { done: false, value: batch };
  }

  #fallBack(): void {
    this.#state = 'replaying';
    this.#queue = [];
    this.#cursor = this.#delivered;
  }

  /** Reading history and going live happen in one turn, so nothing can be published in between. */
  async #replay(): Promise<Step> {
    while (this.#state === 'replaying') {
      const compactedAt = this.#history.compactedAt();
      if (this.#cursor < compactedAt) {
        this.end();
        throw new CompactedError(this.#cursor, compactedAt);
      }
      const batch = this.#readOn();
      if (batch.length > 0) return { done: false, value: batch };
      if (this.#state === 'replaying') await nextTurn();
    }
    return this.next();
  }

  #readOn(): readonly Change[] {
    const revision = this.#history.revision();
    if (this.#cursor >= revision) {
      this.#state = 'live';
      return [];
    }
    const { changes, upTo } = this.#history.read(this.range, this.#cursor);
    this.#cursor = upTo;
    this.#delivered = upTo;
    if (upTo >= revision) this.#state = 'live';
    return changes;
  }
}

/** Keys cut at every border of a watched range: segment i holds the keys from border i on and who watches them. */
interface Segments {
  readonly borders: readonly string[];
  readonly watches: readonly (readonly Watch[])[];
}

function segmentsOf(watches: readonly Watch[]): Segments {
  const borders = [...new Set(watches.flatMap(({ range }) => [range.start, range.end]))].sort(compareKeys);
  const position = new Map(borders.map((border, i) => [border, i]));
  const segments: Watch[][] = borders.map(() => []);
  for (const watch of watches) {
    const end = position.get(watch.range.end) ?? 0;
    for (let i = position.get(watch.range.start) ?? 0; i < end; i++) segments[i]?.push(watch);
  }
  return { borders, watches: segments };
}

const nobody: readonly Watch[] = [];

function watchesAt(segments: Segments, key: string): readonly Watch[] {
  let low = 0;
  let high = segments.borders.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(segments.borders[middle] as string, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return segments.watches[low - 1] ?? nobody;
}

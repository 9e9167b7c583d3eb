// One watch. It is either behind (it reads the initial state, then history, at its own pace) or live (changes are put
// into its buffer as they happen). One whose buffer is full falls behind; one that history has overtaken is ended.
// Full is counted in bytes too: what waits for a reader, in the buffer or in the batch it was given, it keeps alive.
import { nextTurn } from '#base/next-turn.ts';
import { addedEvent, bookmarkEvent, type CacheEvent, ChangeEvents } from '#cache/cache-event.ts';
import type { StoredItem } from '#cache/cache-item.ts';
import type { ItemChange } from '#cache/history.ts';
import type { Matcher } from '#cache/selection.ts';

/** Says whether it wants more. */
export type Take = (events: readonly CacheEvent[]) => boolean | Promise<boolean>;

export interface CacheWatcher extends AsyncIterableIterator<readonly CacheEvent[], undefined> {
  /** Why it ended: closed by its user or with the cache, or too slow for the history kept. */
  readonly ended: 'closed' | 'overrun' | undefined;
  /**
   * Hands over events in the very turn in which they come, without a promise for each, until the watcher ends or `take` says
   * false. A taker that answers with a promise gets no more until it resolves.
   */
  follow(take: Take): Promise<void>;
  /** Puts a bookmark behind what is waiting. */
  bookmark(): void;
  close(): void;
}

/** What a watcher needs of its cache. */
export interface WatchedCache {
  /** Every change up to here has been told. */
  revision(): number;
  /** Of the last change. */
  last(): number;
  changesAfter(revision: number, count: number): readonly ItemChange[] | undefined;
  /** From now on changes are offered to the watcher. */
  goLive(watcher: Watcher): void;
  fallBehind(watcher: Watcher): void;
}

export interface WatcherStart {
  readonly matcher: Matcher;
  /** Changes after this revision are told. */
  readonly after: number;
  /** Told first, as ADDED; they are the state at `after`. */
  readonly initial: Iterator<StoredItem, undefined> | undefined;
  readonly bookmarks: boolean;
  readonly markInitialEnd: boolean;
  readonly bufferLimit: number;
  readonly onEnd: (watcher: Watcher) => void;
}

type Step = IteratorResult<readonly CacheEvent[], undefined>;
const done: Step = { done: true, value: undefined };
const INITIAL_BATCH = 256;
const HISTORY_BATCH = 512;
/** Of objects, in a buffer or a batch; the first event goes in whatever its size. */
const BATCH_BYTES = 2 << 20;
/** Of objects that a selector has looked at for one batch: it may have parsed each of them. */
const LOOKED_BYTES = 256 << 10;

export class Watcher implements CacheWatcher {
  readonly matcher: Matcher;
  readonly bookmarks: boolean;
  readonly #cache: WatchedCache;
  readonly #bufferLimit: number;
  readonly #markInitialEnd: boolean;
  readonly #onEnd: (watcher: Watcher) => void;
  #state: 'initial' | 'behind' | 'live' | 'ended';
  #initial: Iterator<StoredItem, undefined> | undefined;
  #ended: 'closed' | 'overrun' | undefined;
  /** Everything up to here was handed over. */
  #position: number;
  #buffer: CacheEvent[] = [];
  #bufferBytes = 0;
  #bookmarkWanted = false;
  /** Has read a batch of the past in this turn. */
  #resting = false;
  #wake: ((step: Step | Promise<Step>) => void) | undefined;

  constructor(cache: WatchedCache, start: WatcherStart) {
    this.#cache = cache;
    this.matcher = start.matcher;
    this.bookmarks = start.bookmarks;
    this.#bufferLimit = start.bufferLimit;
    this.#markInitialEnd = start.markInitialEnd;
    this.#onEnd = start.onEnd;
    this.#position = start.after;
    this.#initial = start.initial;
    this.#state = start.initial ? 'initial' : 'behind';
    if (this.#state === 'behind' && start.after >= cache.last()) this.#goLive();
  }

  get ended(): 'closed' | 'overrun' | undefined {
    return this.#ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** No async function: a live watcher waits on one promise and nothing else. */
  next(): Promise<Step> {
    const batch = this.#take();
    if (batch.length > 0) return Promise.resolve({ done: false, value: batch });
    if (this.#state === 'ended') return Promise.resolve(done);
    if (this.#state === 'live') return new Promise((resolve) => (this.#wake = resolve));
    return this.#nextInAnotherTurn();
  }

  /** A reader that never waits must not hold the event loop while it catches up. */
  async #nextInAnotherTurn(): Promise<Step> {
    await nextTurn();
    this.#resting = false;
    return this.next();
  }

  follow(take: Take): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        this.close();
        reject(error);
      };
      const goOn = (more: boolean) => {
        if (!more) this.close();
        if (this.#state === 'live' && this.#buffer.length === 0) this.#wake = hear;
        else this.next().then(handOver, fail);
      };
      const handOver = ({ done: finished, value }: Step) => {
        if (finished) return resolve();
        try {
          const more = take(value);
          if (typeof more === 'boolean') goOn(more);
          else more.then(goOn, fail);
        } catch (error) {
          fail(error);
        }
      };
      const hear = (step: Step | Promise<Step>) => (step instanceof Promise ? void step.then(handOver, fail) : handOver(step));
      goOn(true);
    });
  }

  async return(): Promise<Step> {
    this.close();
    return done;
  }

  close(): void {
    this.#end('closed');
  }

  /** From the cache, for a live watcher: an event that concerns it. Delivered with the next `flush`. */
  offer(event: CacheEvent): void {
    if (this.#state !== 'live' || event.revision <= this.#position) return;
    if (this.#buffer.length >= this.#bufferLimit || this.#bufferBytes >= BATCH_BYTES) return this.#fallBehind();
    this.#buffer.push(event);
    this.#bufferBytes += event.item?.byteLength ?? 0;
  }

  /** Hands over what was offered, if a reader waits for it. */
  flush(): void {
    const wake = this.#wake;
    if (wake === undefined || (this.#state === 'live' && this.#buffer.length === 0)) return;
    this.#wake = undefined;
    wake(this.#state === 'live' ? { done: false, value: this.#takeBuffer() } : this.next());
  }

  bookmark(): void {
    if (this.#state !== 'live') {
      this.#bookmarkWanted = true;
      return;
    }
    const revision = this.#cache.revision();
    // A watch that begins in the future has nothing to confirm yet.
    if (revision < this.#position) return;
    if (this.#buffer.at(-1)?.type === 'BOOKMARK') this.#buffer.pop();
    this.#buffer.push(bookmarkEvent(revision));
    this.flush();
  }

  /** Ends it after what is buffered has been read. */
  #end(why: 'closed' | 'overrun'): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#ended = why;
    this.#initial = undefined;
    if (why === 'closed') this.#emptyBuffer();
    this.#onEnd(this);
    this.#wake?.(done);
    this.#wake = undefined;
  }

  #take(): readonly CacheEvent[] {
    if (this.#state !== 'initial' && this.#state !== 'behind') return this.#takeBuffer();
    if (this.#resting) return [];
    this.#resting = true;
    return this.#state === 'initial' ? this.#readInitial() : this.#readHistory();
  }

  #takeBuffer(): readonly CacheEvent[] {
    const batch = this.#buffer;
    if (batch.length === 0) return batch;
    this.#emptyBuffer();
    this.#position = Math.max(this.#position, (batch.at(-1) as CacheEvent).revision);
    return batch;
  }

  #emptyBuffer(): void {
    this.#buffer = [];
    this.#bufferBytes = 0;
  }

  #readInitial(): readonly CacheEvent[] {
    const events: CacheEvent[] = [];
    for (let seen = 0, bytes = 0, looked = 0; seen < INITIAL_BATCH && bytes < BATCH_BYTES && looked < this.#mostLooked; seen++) {
      const { done: finished, value: item } = (this.#initial as Iterator<StoredItem, undefined>).next();
      if (finished) {
        if (this.#markInitialEnd) events.push(bookmarkEvent(this.#position, true));
        this.#endInitial();
        break;
      }
      looked += item.byteLength;
      if (!this.matcher.matches(item)) continue;
      events.push(addedEvent(item));
      bytes += item.byteLength;
    }
    return events;
  }

  /** Without selectors nothing has to be parsed. */
  get #mostLooked(): number {
    return this.matcher.everything ? Number.POSITIVE_INFINITY : LOOKED_BYTES;
  }

  #endInitial(): void {
    this.#state = 'behind';
    this.#initial = undefined;
    if (this.#position >= this.#cache.last()) this.#goLive();
  }

  /** Reading the last of history and going live happen in one turn: nothing can come in between. */
  #readHistory(): readonly CacheEvent[] {
    const changes = this.#cache.changesAfter(this.#position, HISTORY_BATCH);
    if (changes === undefined) {
      this.#end('overrun');
      return [];
    }
    const events: CacheEvent[] = [];
    let read = 0;
    for (let bytes = 0, looked = 0; read < changes.length; read++) {
      const change = changes[read] as ItemChange;
      // Changes of one revision stay together: the next batch begins after a revision.
      if ((bytes >= BATCH_BYTES || looked >= this.#mostLooked) && change.revision !== this.#position) break;
      looked += (change.item?.byteLength ?? 0) + (change.previous?.byteLength ?? 0);
      const event = new ChangeEvents(change).for(this.matcher);
      this.#position = Math.max(this.#position, change.revision);
      if (event === undefined) continue;
      events.push(event);
      bytes += event.item?.byteLength ?? 0;
    }
    if (read === changes.length && changes.length < HISTORY_BATCH) this.#goLive();
    return events;
  }

  #goLive(): void {
    this.#state = 'live';
    this.#cache.goLive(this);
    if (!this.#bookmarkWanted) return;
    this.#bookmarkWanted = false;
    this.#buffer.push(bookmarkEvent(this.#cache.revision()));
  }

  #fallBehind(): void {
    this.#state = 'behind';
    this.#emptyBuffer();
    this.#cache.fallBehind(this);
  }
}

// Live delivery of changes to the watches of one store, shared by the stores that run in this process.
// A watch is either `live` (changes are queued for it as they are published) or `replaying` (it reads history until
// it has caught up). One that does not drain its queue falls back to replaying, so no queue grows without bound.
import { inRange } from '#store/key-order.ts';
import { type Change, CompactedError, type KeyRange, type Revision, type WatchBatch } from '#store/store.ts';
import { nextTurn } from '#base/next-turn.ts';

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

  constructor(history: History) {
    this.#history = history;
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    const onAbort = () => watch.end();
    const onEnd = () => {
      signal.removeEventListener('abort', onAbort);
      this.#watches.delete(watch);
    };
    const watch = new Watch(range, after, this.#history, onEnd);
    this.#watches.add(watch);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) watch.end();
    return watch;
  }

  /**
   * `changes` are in order and all newer than those published before; history already holds them. `revision`: how far the store has come with
   * them, where that is further than the last of them.
   */
  publish(changes: readonly Change[], revision = changes.at(-1)?.revision): void {
    if (revision === undefined) return;
    for (const watch of this.#watches) watch.offer(changes, revision);
  }

  end(): void {
    for (const watch of this.#watches) watch.end();
  }
}

type Step = IteratorResult<WatchBatch, undefined>;
const done: Step = { done: true, value: undefined };

class Watch implements AsyncIterableIterator<WatchBatch, undefined> {
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
    if (this.#cursor > this.#delivered) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
    });
  }

  /** Changes up to this revision, of all keys. */
  offer(changes: readonly Change[], revision: Revision): void {
    if (this.#state !== 'live' || revision <= this.#cursor) return;
    for (const change of changes) if (change.revision > this.#cursor && inRange(this.range, change.key)) this.#queue.push(change);
    this.#cursor = revision;
    const wakeUp = this.#wakeUp;
    this.#wakeUp = undefined;
    if (wakeUp) wakeUp(this.#take());
    else if (this.#queue.length > QUEUE_LIMIT) this.#fallBack();
  }

  end(): void {
    this.#state = 'ended';
    this.#queue = [];
    this.#wakeUp?.(done);
    this.#wakeUp = undefined;
    this.#onEnd();
  }

  #take(): Step {
    const changes = this.#queue;
    this.#queue = [];
    this.#delivered = this.#cursor;
    return { done: false, value: { changes, revision: this.#cursor } };
  }

  #fallBack(): void {
    this.#state = 'replaying';
    this.#queue = [];
    this.#cursor = this.#delivered;
  }

  /** Reading history and going live happen in one turn, so nothing can be published in between. */
  async #replay(): Promise<Step> {
    const from = this.#cursor;
    while (this.#state === 'replaying') {
      const compactedAt = this.#history.compactedAt();
      if (this.#cursor < compactedAt) {
        this.end();
        throw new CompactedError(this.#cursor, compactedAt);
      }
      const changes = this.#readOn();
      if (changes.length > 0) return { done: false, value: { changes, revision: this.#cursor } };
      if (this.#state === 'replaying') await nextTurn();
    }
    if (this.#state === 'live' && this.#cursor > from) return { done: false, value: { changes: [], revision: this.#cursor } };
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

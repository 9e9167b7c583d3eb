// Keys that somebody has to look at. A key waits at most once; one that comes again while it is worked on waits until that is
// done, so that nobody works on the same key twice at a time and no change goes unseen.
import type { Timers } from '#base/timers.ts';
import type { QueueObserver } from '#client/queue-metrics.ts';
import type { RateLimit } from '#client/rate-limit.ts';

export interface WorkQueueOptions {
  readonly timers: Timers;
  readonly limit: RateLimit;
  /** Measures with `now`, in milliseconds. */
  readonly observer?: { readonly queue: QueueObserver; readonly now: () => number };
}

export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** In the order of their first mention. */
  readonly #waiting = new Set<string>();
  readonly #working = new Set<string>();
  /** Since when keys wait, and since when they are worked on; empty without an observer. */
  readonly #since = { waiting: new Map<string, number>(), working: new Map<string, number>() };
  /** Came again while they were worked on. */
  readonly #again = new Set<string>();
  readonly #delayed = new Set<() => void>();
  readonly #takers: (() => void)[] = [];
  #shutDown = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    const { observer } = options;
    if (observer) observer.queue.unfinished.of = () => [...this.#since.working.values()].map((began) => (observer.now() - began) / 1000);
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(key: string): void {
    if (this.#shutDown) return;
    const isNew = !this.#waiting.has(key) && !this.#again.has(key);
    if (this.#working.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    if (isNew) this.#observeAdded(key);
    this.#takers.shift()?.();
  }

  addAfter(key: string, milliseconds: number): void {
    if (this.#shutDown) return;
    if (milliseconds <= 0) return this.add(key);
    const cancel = this.#options.timers.after(milliseconds, () => {
      this.#delayed.delete(cancel);
      this.add(key);
    });
    this.#delayed.add(cancel);
  }

  /** After a failure: the more there were, the later. */
  addRateLimited(key: string): void {
    this.#options.observer?.queue.retried();
    this.addAfter(key, this.#options.limit.delayOf(key));
  }

  failuresOf(key: string): number {
    return this.#options.limit.failuresOf(key);
  }

  forget(key: string): void {
    this.#options.limit.forget(key);
  }

  /** Takes no more keys and drops those that wait for their time; what is queued is still handed out. */
  shutDown(): void {
    this.#shutDown = true;
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
    for (const wake of this.#takers.splice(0)) wake();
  }

  /** The next key; undefined when the queue is shut down and empty. Whoever takes one says `done` in the end. */
  async next(): Promise<string | undefined> {
    for (;;) {
      const [key] = this.#waiting;
      if (key !== undefined) {
        this.#waiting.delete(key);
        this.#working.add(key);
        this.#observeTaken(key);
        return key;
      }
      if (this.#shutDown && this.#again.size === 0) return undefined;
      await new Promise<void>((resolve) => this.#takers.push(resolve));
    }
  }

  done(key: string): void {
    this.#working.delete(key);
    this.#observeDone(key);
    if (this.#again.delete(key)) this.#waiting.add(key);
    this.#takers.shift()?.();
    // Whoever waits for the last key of a queue that is shut down waits no longer.
    if (this.#shutDown) for (const wake of this.#takers.splice(0)) wake();
  }

  /** Works on one key after the other, `workers` at a time, until the queue is shut down and empty. What throws is tried again later. */
  async work(perform: (key: string) => Promise<void>, onFailure: (key: string, error: unknown) => void, workers = 1): Promise<void> {
    await Promise.all(Array.from({ length: workers }, () => this.#work(perform, onFailure)));
  }

  async #work(perform: (key: string) => Promise<void>, onFailure: (key: string, error: unknown) => void): Promise<void> {
    for (let key = await this.next(); key !== undefined; key = await this.next()) {
      try {
        await perform(key);
        this.forget(key);
      } catch (error) {
        onFailure(key, error);
        this.addRateLimited(key);
      } finally {
        this.done(key);
      }
    }
  }

  #observeAdded(key: string): void {
    const { observer } = this.#options;
    if (observer === undefined) return;
    this.#since.waiting.set(key, observer.now());
    observer.queue.added(this.#waiting.size);
  }

  #observeTaken(key: string): void {
    const { observer } = this.#options;
    if (observer === undefined) return;
    const now = observer.now();
    observer.queue.taken(this.#waiting.size, (now - (this.#since.waiting.get(key) ?? now)) / 1000);
    this.#since.waiting.delete(key);
    this.#since.working.set(key, now);
  }

  #observeDone(key: string): void {
    const { observer } = this.#options;
    const began = this.#since.working.get(key);
    this.#since.working.delete(key);
    if (observer && began !== undefined) observer.queue.worked((observer.now() - began) / 1000);
  }
}

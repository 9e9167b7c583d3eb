// One watch of the store for all caches: each change goes to the cache of its prefix, and every cache knows how far the
// whole store has come, also when nothing of its own was written.
import { pause, systemTimers, type Timers } from '#base/timers.ts';
import { ChurningSet } from '#base/memory/churning.ts';
import { type Change, CompactedError, rangeOf, type StoreReader, type WatchBatch } from '#store/store.ts';

export interface FeedListener {
  apply(change: Change): void;
  /** The batch is over. */
  flush(): void;
  /** Changes were lost: everything must be read again. */
  restart(): void;
}

export interface StoreFeedOptions {
  readonly store: StoreReader;
  /** What the keys of all resources begin with. */
  readonly root: string;
  readonly timers?: Timers;
}

interface Waiter {
  readonly revision: number;
  readonly arrived: () => void;
}

const RETRY_MS = 1_000;
const nobody: readonly FeedListener[] = [];

export class StoreFeed {
  readonly #options: Required<StoreFeedOptions>;
  readonly #listeners = new Map<string, readonly FeedListener[]>();
  readonly #waiters = new ChurningSet<Waiter>();
  readonly #stopped = new AbortController();
  #revision = 0;
  #running: Promise<void> | undefined;
  #started: Promise<void> | undefined;

  constructor(options: StoreFeedOptions) {
    this.#options = { timers: systemTimers, ...options };
  }

  /** Every change up to here was handed out. */
  get revision(): number {
    return this.#revision;
  }

  /** Resolves when changes from now on are followed. */
  start(): Promise<void> {
    this.#started ??= new Promise((resolve) => {
      this.#running = this.#run(resolve);
    });
    return this.#started;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#arrived();
    await this.#running;
  }

  /** `prefix` ends with a slash, and begins no other one. */
  subscribe(prefix: string, listener: FeedListener): () => void {
    this.#listeners.set(prefix, [...(this.#listeners.get(prefix) ?? []), listener]);
    return () => {
      const left = (this.#listeners.get(prefix) ?? []).filter((each) => each !== listener);
      if (left.length > 0) this.#listeners.set(prefix, left);
      else this.#listeners.delete(prefix);
    };
  }

  /** False when the revision did not come within `milliseconds`. */
  waitFor(revision: number, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (revision <= this.#revision) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = () => {
        this.#waiters.delete(waiter);
        cancel();
        signal?.removeEventListener('abort', settle);
        resolve(revision <= this.#revision);
      };
      const waiter = { revision, arrived: settle };
      const cancel = this.#options.timers.after(milliseconds, settle);
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', settle);
      if (signal?.aborted || this.#stopped.signal.aborted) settle();
    });
  }

  async #run(started: () => void): Promise<void> {
    const { signal } = this.#stopped;
    let lost = true;
    while (!signal.aborted) {
      try {
        if (lost) await this.#findPosition();
        lost = false;
        started();
        await this.#follow(signal);
        await this.#pause();
      } catch (error) {
        if (error instanceof CompactedError) lost = true;
        else await this.#pause();
      }
    }
    started();
  }

  /** What is read from now on is at least as new as this position, and changes after it will be handed out. */
  async #findPosition(): Promise<void> {
    const first = this.#revision === 0;
    this.#revision = await this.#options.store.revision();
    if (first) return;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.restart();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { store, root } = this.#options;
    for await (const batch of store.watch(rangeOf(root), this.#revision, signal)) this.#dispatch(batch);
  }

  #pause(): Promise<void> {
    return pause(this.#options.timers, RETRY_MS, this.#stopped.signal);
  }

  #dispatch({ changes, revision }: WatchBatch): void {
    const touched = new Set<FeedListener>();
    for (const change of changes) {
      for (const listener of this.#listenersOf(change.key)) {
        listener.apply(change);
        touched.add(listener);
      }
    }
    this.#revision = revision;
    for (const listener of touched) listener.flush();
    this.#arrived();
  }

  #listenersOf(key: string): readonly FeedListener[] {
    let end = this.#options.root.length;
    for (;;) {
      end = key.indexOf('/', end) + 1;
      if (end === 0) return nobody;
      const listeners = this.#listeners.get(key.slice(0, end));
      if (listeners) return listeners;
    }
  }

  #arrived(): void {
    const stopped = this.#stopped.signal.aborted;
    for (const waiter of this.#waiters) if (stopped || waiter.revision <= this.#revision) waiter.arrived();
  }
}

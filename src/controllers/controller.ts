// How every loop of the server works: sources say which keys to look at, workers bring one key after the other in step, and what fails is
// tried again later. Nothing is looked at before all sources have told what there is.
import { setMaxListeners } from 'node:events';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type ChangeType, type Source, type SourceItem, sourceKey } from '#api/source.ts';
import type { Log } from '#base/log.ts';
import { pause, type Timers } from '#base/timers.ts';
import type { QueueMetrics } from '#client/queue-metrics.ts';
import { itemBackoff } from '#client/rate-limit.ts';
import { WorkQueue } from '#client/work-queue.ts';

/** What every loop gets from outside. */
export interface LoopParts {
  readonly log: Log;
  readonly timers: Timers;
  readonly metrics: QueueMetrics;
}

/** Resolves when it has told the keys that it began with; tells others until `signal` aborts. */
export type KeySource = (enqueue: (key: string) => void, signal: AbortSignal) => Promise<void>;

export interface ControllerOptions extends LoopParts {
  readonly name: string;
  readonly sources: readonly KeySource[];
  /** Brings the world in step with what the key names, which may be gone. `againMs`: to be looked at again after this time. */
  readonly reconcile: (key: string) => Promise<{ readonly againMs?: number } | void>;
  readonly workers?: number;
  readonly retry?: { readonly firstMs: number; readonly maxMs: number };
  /** Changes that come within this time are looked at together; where it is a function, it says for which key how long. */
  readonly gatherMs?: number | ((key: string) => number);
}

export interface Controller {
  /** Resolves when every source has told what there is and each of these keys was looked at once. */
  readonly settled: Promise<void>;
  enqueue(key: string): void;
  /** Follows one more source. */
  follow(source: KeySource): void;
  /** Until `signal` aborts and all workers have ended. */
  run(signal: AbortSignal): Promise<void>;
}

/** A longer time would not fit into a timer and pass at once; a key that is looked at too early waits again. */
const longestTimerMs = 2 ** 31 - 1;

const defaultRetry = { firstMs: 1_000, maxMs: 10_000 };

export function controller(options: ControllerOptions): Controller {
  return new QueueController(options);
}

class QueueController implements Controller {
  readonly #options: ControllerOptions;
  readonly #queue: WorkQueue;
  #settle: () => void = () => {};
  readonly settled = new Promise<void>((resolve) => (this.#settle = resolve));
  readonly #gathered = new Set<string>();
  /** How to cancel the next look at a key that is looked at regularly. */
  readonly #nextLooks = new Map<string, () => void>();
  readonly #stopped = new AbortController();

  constructor(options: ControllerOptions) {
    const { name, timers, metrics, retry = defaultRetry } = options;
    this.#options = options;
    // One listener for each source.
    setMaxListeners(0, this.#stopped.signal);
    const observer = { queue: metrics.of(name), now: () => performance.now() };
    this.#queue = new WorkQueue({ timers, limit: itemBackoff(retry), observer });
  }

  enqueue(key: string): void {
    const { gatherMs = 0, timers } = this.#options;
    if (gatherMs === 0) return this.#queue.add(key);
    if (this.#gathered.has(key)) return;
    this.#gathered.add(key);
    timers.after(typeof gatherMs === 'number' ? gatherMs : gatherMs(key), () => {
      this.#gathered.delete(key);
      this.#queue.add(key);
    });
  }

  follow(source: KeySource): void {
    void source((key) => this.enqueue(key), this.#stopped.signal);
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = () => {
      this.#stopped.abort();
      for (const cancel of this.#nextLooks.values()) cancel();
      this.#queue.shutDown();
      this.#settle();
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    const first = new Set<string>();
    let begun = false;
    const enqueue = (key: string) => {
      if (!begun) first.add(key);
      this.enqueue(key);
    };
    await Promise.all(this.#options.sources.map((source) => source(enqueue, this.#stopped.signal)));
    begun = true;
    if (first.size === 0) this.#settle();
    await this.#queue.work(
      (key) => this.#look(key, first),
      (key, error) => this.#complain(key, error),
      this.#options.workers,
    );
  }

  async #look(key: string, first: Set<string>): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    try {
      const { againMs } = (await this.#options.reconcile(key)) ?? {};
      this.#lookAgain(key, againMs);
    } finally {
      if (first.delete(key) && first.size === 0) this.#settle();
    }
  }

  /** The time counts from the last look: a change in between does not make one more of them. */
  #lookAgain(key: string, againMs: number | undefined): void {
    this.#nextLooks.get(key)?.();
    this.#nextLooks.delete(key);
    if (againMs === undefined || this.#stopped.signal.aborted) return;
    const cancel = this.#options.timers.after(Math.min(againMs, longestTimerMs), () => this.enqueue(key));
    this.#nextLooks.set(key, cancel);
  }

  #complain(key: string, error: unknown): void {
    if (this.#stopped.signal.aborted || isConflict(error)) return;
    this.#options.log.warn('a controller tries again', { controller: this.#options.name, key, err: String(error) });
  }
}

/** Another write was faster: expected, and tried again like any failure. */
function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}

/** Several loops that are one controller of the original. Keys from outside go to the first. */
export function together(first: Controller, ...others: readonly Controller[]): Controller {
  const all = [first, ...others];
  return {
    settled: Promise.all(all.map(({ settled }) => settled)).then(() => undefined),
    enqueue: (key) => first.enqueue(key),
    follow: (source) => first.follow(source),
    run: async (signal) => void (await Promise.all(all.map((one) => one.run(signal)))),
  };
}

/** The keys that objects of a source are about; by default their own. Those of objects that went while changes were missed come again. */
export function keysOf<T extends KubernetesObject>(
  source: Source<T>,
  affects: (item: SourceItem<T>, type: ChangeType) => Iterable<string> = (item) => [sourceKey(item)],
): KeySource {
  return async (enqueue, signal) => {
    let told = new Set<string>();
    const tell = (item: SourceItem<T>, type: ChangeType) => {
      for (const key of affects(item, type)) {
        if (type === 'DELETED') told.delete(key);
        else told.add(key);
        enqueue(key);
      }
    };
    const begin = (all: readonly SourceItem<T>[]) => {
      const before = told;
      told = new Set();
      for (const item of all) tell(item, 'ADDED');
      for (const key of before) if (!told.has(key)) enqueue(key);
    };
    await source.follow({ begin, change: (type, item) => tell(item, type) }, signal);
  };
}

/** A key that is looked at again and again. */
export function every(timers: Timers, milliseconds: number, key: string): KeySource {
  return async (enqueue, signal) => {
    const repeat = async () => {
      for (;;) {
        await pause(timers, milliseconds, signal);
        if (signal.aborted) return;
        enqueue(key);
      }
    };
    void repeat();
  };
}

/** For writes that another change makes unnecessary: the object is gone, or was changed and comes here again. */
export async function unlessOvertaken<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error;
  }
}

/** For deletions: somebody else's was faster. */
export async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}

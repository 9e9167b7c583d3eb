// Objects that are played: a key is looked at when its object has changed or its time has come, by some workers; what fails is tried again later.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Follower, Source } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Timers } from '#base/timers.ts';
import { itemBackoff } from '#client/rate-limit.ts';
import { WorkQueue } from '#client/work-queue.ts';
import { DueKeys } from '#nodes/due-keys.ts';

export interface PlayQueueOptions {
  readonly timers: Timers;
  readonly clock: Clock;
  readonly retry: { readonly firstMs: number; readonly maxMs: number };
  readonly workers: number;
  readonly play: (key: string) => Promise<void>;
  /** Not of writes that another change has overtaken, nor after the end. */
  readonly onFailure: (key: string, error: unknown) => void;
}

export class PlayQueue {
  readonly due: DueKeys;
  readonly #options: PlayQueueOptions;
  readonly #queue: WorkQueue;

  constructor(options: PlayQueueOptions) {
    const { timers, clock, retry } = options;
    this.#options = options;
    this.#queue = new WorkQueue({ timers, limit: itemBackoff(retry) });
    this.due = new DueKeys({ timers, now: () => clock.now().getTime(), onDue: (key) => this.add(key) });
  }

  add(key: string): void {
    this.#queue.add(key);
  }

  /** Until `signal` aborts. */
  async run<T extends KubernetesObject>(source: Source<T>, follower: Follower<T>, signal: AbortSignal): Promise<void> {
    const { play, onFailure, workers } = this.#options;
    const stop = () => {
      this.due.clear();
      this.#queue.shutDown();
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    await source.follow(follower, signal);
    const complain = (key: string, error: unknown) => {
      if (!signal.aborted && !isOvertaken(error)) onFailure(key, error);
    };
    await this.#queue.work(play, complain, workers);
  }
}

function isOvertaken(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 404 || error.code === 409);
}

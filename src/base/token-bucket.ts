import type { Timers } from '#base/timers.ts';

export interface TokenBucketOptions {
  readonly perSecond: number;
  readonly burst: number;
  readonly now: () => number;
  readonly timers: Timers;
}

/** So many a second, and so many at once after a pause. */
export class TokenBucket {
  readonly #options: TokenBucketOptions;
  #tokens: number;
  #filled: number;

  constructor(options: TokenBucketOptions) {
    this.#options = options;
    this.#tokens = Math.max(1, options.burst);
    this.#filled = options.now();
  }

  /** Resolves when the next token is there. For one waiter at a time. */
  async take(): Promise<void> {
    this.#fill();
    if (this.#tokens < 1) {
      const waitMs = ((1 - this.#tokens) / this.#options.perSecond) * 1000;
      await new Promise<void>((resolve) => void this.#options.timers.after(waitMs, resolve));
      this.#fill();
    }
    this.#tokens = Math.max(0, this.#tokens - 1);
  }

  #fill(): void {
    const now = this.#options.now();
    const gained = (Math.max(0, now - this.#filled) / 1000) * this.#options.perSecond;
    this.#tokens = Math.min(Math.max(1, this.#options.burst), this.#tokens + gained);
    this.#filled = now;
  }
}

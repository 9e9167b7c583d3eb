/** Requests that a client gives up, beyond those that it lets us answer. */
export const resets = { burst: 1000, perSecond: 100 };
/** Frames that ask for nothing: PING, SETTINGS, empty ones. */
export const chatter = { burst: 10_000, perSecond: 1000 };

/** So many at once, and so many more each second: what a peer may do that costs us and brings it nothing. */
export class Allowance {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #filledAt: number;

  /** `now` in milliseconds. */
  constructor(burst: number, perSecond: number, now: () => number) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = burst;
    this.#filledAt = now();
  }

  /** False: it was one too many. */
  spend(): boolean {
    if (this.#left < 1) this.#fill();
    this.#left -= 1;
    return this.#left >= 0;
  }

  giveBack(): void {
    if (this.#left < this.#burst) this.#left += 1;
  }

  #fill(): void {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = now;
  }
}

// After how many seconds a rejected client should come back: more the more are rejected, up to half a minute.

const longest = 32;

export class RetryAfter {
  #seconds = 1;
  #second = 0;
  #inSecond = 0;
  #history: { readonly second: number; readonly count: number }[] = [];
  #changed = 0;

  get seconds(): number {
    return this.#seconds;
  }

  reject(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#second) {
      this.#inSecond += 1;
      return;
    }
    this.#history.push({ second: this.#second, count: this.#inSecond });
    this.#history = this.#history.filter((entry) => second - entry.second <= Math.min(longest, 2 * this.#seconds));
    this.#second = second;
    this.#inSecond = 1;
    this.#adapt(second);
  }

  /** Judged on the last `seconds` seconds; growth waits as long as it asks others to wait. */
  #adapt(second: number): void {
    const recent = this.#history.filter((entry) => second - entry.second <= this.#seconds).reduce((sum, { count }) => sum + count, 0);
    if (second - this.#changed >= this.#seconds && recent >= 3 * this.#seconds) {
      this.#seconds = Math.min(longest, this.#seconds * 2);
      this.#changed = second;
    } else if (recent < this.#seconds && this.#seconds > 1) this.#seconds -= 1;
  }
}

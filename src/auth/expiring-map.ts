// Answers that stay true for a while. Bounded: when it is full, what is over goes first, then everything.
import type { Clock } from '#base/clock.ts';

export class ExpiringMap<V> {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>();

  constructor(clock: Clock, limit = 8192) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.until > this.#now() ? entry.value : undefined;
  }

  set(key: string, value: V, ttlMs: number): void {
    if (ttlMs <= 0) return;
    if (this.#entries.size >= this.#limit) this.#makeRoom();
    this.#entries.set(key, { value, until: this.#now() + ttlMs });
  }

  #makeRoom(): void {
    for (const [key, { until }] of this.#entries) if (until <= this.#now()) this.#entries.delete(key);
    if (this.#entries.size >= this.#limit) this.#entries.clear();
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

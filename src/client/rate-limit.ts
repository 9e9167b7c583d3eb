// How long a key has to wait before it is worked on again.

export interface RateLimit {
  /** Counts one more failure of `key` and says how long to wait. */
  delayOf(key: string): number;
  failuresOf(key: string): number;
  forget(key: string): void;
}

export interface ItemBackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Each key by itself: twice as long with every failure. */
export function itemBackoff({ firstMs, maxMs }: ItemBackoffOptions): RateLimit {
  const failures = new Map<string, number>();
  return {
    delayOf(key) {
      const before = failures.get(key) ?? 0;
      failures.set(key, before + 1);
      return Math.min(firstMs * 2 ** before, maxMs);
    },
    failuresOf: (key) => failures.get(key) ?? 0,
    forget: (key) => void failures.delete(key),
  };
}

export interface BucketOptions {
  readonly perSecond: number;
  readonly burst: number;
  /** Milliseconds, of a clock that only goes forward. */
  readonly now: () => number;
}

/** All keys together: so many at once, then so many each second. */
export function bucket({ perSecond, burst, now }: BucketOptions): RateLimit {
  let tokens = burst;
  let at = now();
  return {
    delayOf() {
      const time = now();
      tokens = Math.min(burst, tokens + ((time - at) / 1000) * perSecond) - 1;
      at = time;
      return tokens >= 0 ? 0 : (-tokens / perSecond) * 1000;
    },
    failuresOf: () => 0,
    forget: () => {},
  };
}

/** All limits hold. */
export function slowestOf(...limits: readonly RateLimit[]): RateLimit {
  return {
    delayOf: (key) => Math.max(...limits.map((limit) => limit.delayOf(key))),
    failuresOf: (key) => Math.max(...limits.map((limit) => limit.failuresOf(key))),
    forget: (key) => limits.forEach((limit) => limit.forget(key)),
  };
}

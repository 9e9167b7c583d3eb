// Pods of a DaemonSet that fail again and again on a node are replaced ever more slowly.
const firstMs = 1_000;
const longestMs = 15 * 60_000;

export class ReplacementBackoff {
  readonly #entries = new Map<string, { readonly delayMs: number; readonly at: number }>();

  /** Undefined: the pod may be replaced now, which is counted. Otherwise in how many milliseconds. */
  waitMs(key: string, now: number): number | undefined {
    for (const [old, { at }] of this.#entries) if (now - at > 2 * longestMs) this.#entries.delete(old);
    const entry = this.#entries.get(key);
    if (entry && now - entry.at < entry.delayMs) return entry.delayMs;
    this.#entries.set(key, { delayMs: entry ? Math.min(2 * entry.delayMs, longestMs) : firstMs, at: now });
    return undefined;
  }
}

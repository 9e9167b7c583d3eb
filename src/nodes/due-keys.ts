// Keys that are to be looked at when their time has come: a heap with one timer for all of them, however many there are.
import type { Timers } from '#base/timers.ts';

export interface DueKeysOptions {
  readonly timers: Timers;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called for every key whose time has come. */
  readonly onDue: (key: string) => void;
}

interface Entry {
  readonly key: string;
  readonly at: number;
}

/** What is due within this time of another is looked at together. */
const gatherMs = 5;
/** A longer time does not fit into a timer: it is set again when it has passed. */
const longestTimerMs = 2 ** 31 - 1;

export class DueKeys {
  readonly #options: DueKeysOptions;
  /** A binary heap by time. Entries that were replaced stay until they come to its top. */
  readonly #heap: Entry[] = [];
  readonly #current = new Map<string, Entry>();
  #armed: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(options: DueKeysOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#current.size;
  }

  /** A key has one time: the last that was set. */
  set(key: string, at: number): void {
    const entry = { key, at };
    this.#current.set(key, entry);
    this.#push(entry);
    this.#arm();
  }

  delete(key: string): void {
    this.#current.delete(key);
  }

  clear(): void {
    this.#armed?.cancel();
    this.#armed = undefined;
    this.#heap.length = 0;
    this.#current.clear();
  }

  #arm(): void {
    const [first] = this.#heap;
    if (first === undefined || (this.#armed !== undefined && this.#armed.at <= first.at)) return;
    this.#armed?.cancel();
    const waitMs = Math.min(Math.max(first.at - this.#options.now(), 0), longestTimerMs);
    this.#armed = { at: first.at, cancel: this.#options.timers.after(waitMs, () => this.#fire()) };
  }

  #fire(): void {
    this.#armed = undefined;
    const until = this.#options.now() + gatherMs;
    for (let [first] = this.#heap; first !== undefined && first.at <= until; [first] = this.#heap) {
      this.#pop();
      if (this.#current.get(first.key) !== first) continue;
      this.#current.delete(first.key);
      this.#options.onDue(first.key);
    }
    this.#arm();
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as Entry;
      if (above.at <= entry.at) break;
      heap[at] = above;
      heap[parent] = entry;
      at = parent;
    }
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= heap.length) break;
      const child = right < heap.length && (heap[right] as Entry).at < (heap[left] as Entry).at ? right : left;
      const below = heap[child] as Entry;
      if (below.at >= last.at) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }
}

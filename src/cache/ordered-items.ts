// The state of a resource in byte order of the keys: a list of short sorted runs. A snapshot shares everything;
// the next write copies only the run it touches (and, once, the list of runs).
import { compareKeys } from '#store/key-order.ts';

export interface Keyed {
  readonly key: string;
}

interface Run<T> {
  readonly items: T[];
  /** Who may write to it. */
  readonly owner: object;
}

const RUN_LIMIT = 128;
/** Plain `<` is byte order unless both sides have such characters. */
const wideCharacter = /[\ud800-\uffff]/;

export interface Position {
  readonly run: number;
  readonly index: number;
}

/** A sorted sequence. One from `snapshot` never changes; `OrderedItems.view` changes with the next write. */
export class OrderedView<T extends Keyed> {
  readonly runs: Run<T>[];
  size: number;
  wide: boolean;

  constructor(runs: Run<T>[], size: number, wide: boolean) {
    this.runs = runs;
    this.size = size;
    this.wide = wide;
  }

  get(key: string): T | undefined {
    const { run, index } = this.seek(key);
    const item = this.runs[run]?.items[index];
    return item?.key === key ? item : undefined;
  }

  /** Where the first item with a key not below `key` is, or would be: within the run that begins below it. */
  seek(key: string): Position {
    const run = Math.max(0, this.#firstRunAbove(key) - 1);
    const items = this.runs[run]?.items ?? [];
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#below((items[middle] as T).key, key)) low = middle + 1;
      else high = middle;
    }
    return { run, index: low };
  }

  /** How many items have a key below `key`. */
  rank(key: string): number {
    const { run, index } = this.seek(key);
    let rank = index;
    for (let i = 0; i < run; i++) rank += (this.runs[i] as Run<T>).items.length;
    return rank;
  }

  /** Up to `count` items from `rank` on. */
  slice(rank: number, count: number): T[] {
    const result: T[] = [];
    let skip = rank;
    for (const { items } of this.runs) {
      if (result.length >= count) break;
      const end = Math.min(items.length, skip + count - result.length);
      for (let i = skip; i < end; i++) result.push(items[i] as T);
      skip = Math.max(0, skip - items.length);
    }
    return result;
  }

  /** All items whose key starts with `prefix`. */
  startingWith(prefix: string): readonly T[] {
    const result: T[] = [];
    let { run, index } = this.seek(prefix);
    for (; run < this.runs.length; run++, index = 0) {
      const { items } = this.runs[run] as Run<T>;
      for (; index < items.length; index++) {
        const item = items[index] as T;
        if (!item.key.startsWith(prefix)) return result;
        result.push(item);
      }
    }
    return result;
  }

  at(rank: number): T | undefined {
    return this.slice(rank, 1)[0];
  }

  /** All items from `rank` on. */
  *from(rank: number): Generator<T, undefined> {
    for (const items of this.runsFrom(rank)) yield* items;
  }

  /** The same, some at a time: who looks at very many of them does without a generator's step for each. */
  *runsFrom(rank: number): Generator<readonly T[], undefined> {
    let skip = rank;
    for (const { items } of this.runs) {
      if (skip < items.length) yield skip === 0 ? items : items.slice(skip);
      skip = Math.max(0, skip - items.length);
    }
  }

  #firstRunAbove(key: string): number {
    let low = 0;
    let high = this.runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = (this.runs[middle] as Run<T>).items[0] as T;
      if (this.#below(key, first.key)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #below(a: string, b: string): boolean {
    return this.wide ? compareKeys(a, b) < 0 : a < b;
  }
}

export class OrderedItems<T extends Keyed> {
  #view: OrderedView<T>;
  #shared: boolean;
  #owner: object = {};

  /** Starts from a snapshot, without changing it. */
  constructor(start?: OrderedView<T>) {
    this.#view = start ?? new OrderedView<T>([], 0, false);
    this.#shared = start !== undefined;
  }

  get view(): OrderedView<T> {
    return this.#view;
  }

  snapshot(): OrderedView<T> {
    this.#shared = true;
    return this.#view;
  }

  /** Returns what was there before. */
  set(item: T): T | undefined {
    const view = this.#writable();
    view.wide ||= wideCharacter.test(item.key);
    const { run, index } = view.seek(item.key);
    const { items } = this.#writableRun(run);
    const previous = items[index];
    if (previous?.key === item.key) {
      items[index] = item;
      return previous;
    }
    if (index === items.length) items.push(item);
    else items.splice(index, 0, item);
    view.size++;
    if (items.length > RUN_LIMIT) this.#split(run, index);
    return undefined;
  }

  delete(key: string): T | undefined {
    if (this.#view.get(key) === undefined) return undefined;
    const view = this.#writable();
    const { run, index } = view.seek(key);
    const { items } = this.#writableRun(run);
    const [removed] = items.splice(index, 1);
    view.size--;
    if (items.length < RUN_LIMIT / 4) this.#merge(run);
    return removed;
  }

  /** A short run joins the next one, so that deletions do not leave crumbs. */
  #merge(index: number): void {
    const { runs } = this.#view;
    const { items } = runs[index] as Run<T>;
    const next = runs[index + 1];
    if (items.length === 0) runs.splice(index, 1);
    else if (next && items.length + next.items.length <= RUN_LIMIT / 2) {
      items.push(...next.items);
      runs.splice(index + 1, 1);
    }
  }

  #writable(): OrderedView<T> {
    if (this.#shared) {
      this.#view = new OrderedView([...this.#view.runs], this.#view.size, this.#view.wide);
      this.#owner = {};
      this.#shared = false;
    }
    return this.#view;
  }

  #writableRun(index: number): Run<T> {
    const { runs } = this.#view;
    const run = runs[index];
    if (run?.owner === this.#owner) return run;
    const copy = { items: run ? [...run.items] : [], owner: this.#owner };
    runs[index] = copy;
    return copy;
  }

  /** Items that arrive in order fill runs; others split them in halves. */
  #split(index: number, written: number): void {
    const { items } = this.#view.runs[index] as Run<T>;
    const tail = items.splice(written === items.length - 1 ? written : items.length >>> 1);
    this.#view.runs.splice(index + 1, 0, { items: tail, owner: this.#owner });
  }
}

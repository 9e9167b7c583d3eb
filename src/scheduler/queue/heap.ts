// A binary heap whose members can be found and taken out by key.
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #keyOf: (item: T) => string;
  readonly #isBefore: (a: T, b: T) => boolean;

  constructor(keyOf: (item: T) => string, isBefore: (a: T, b: T) => boolean) {
    this.#keyOf = keyOf;
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  get(key: string): T | undefined {
    const place = this.#places.get(key);
    return place === undefined ? undefined : this.#items[place];
  }

  /** One with the same key is replaced. */
  put(item: T): void {
    this.remove(this.#keyOf(item));
    this.#items.push(item);
    this.#rise(this.#items.length - 1);
  }

  take(): T | undefined {
    const { first } = this;
    return first === undefined ? undefined : this.remove(this.#keyOf(first));
  }

  remove(key: string): T | undefined {
    const place = this.#places.get(key);
    const last = this.#items.pop();
    if (place === undefined || last === undefined) {
      if (last !== undefined) this.#items.push(last);
      return undefined;
    }
    this.#places.delete(key);
    if (place === this.#items.length) return last;
    const removed = this.#items[place];
    this.#set(place, last);
    this.#rise(place);
    this.#sink(this.#places.get(this.#keyOf(last)) ?? 0);
    return removed;
  }

  *[Symbol.iterator](): Iterator<T> {
    yield* this.#items;
  }

  #set(place: number, item: T): void {
    this.#items[place] = item;
    this.#places.set(this.#keyOf(item), place);
  }

  #rise(from: number): void {
    const item = this.#items[from];
    if (item === undefined) return;
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#items[above];
      if (parent === undefined || !this.#isBefore(item, parent)) break;
      this.#set(place, parent);
      place = above;
    }
    this.#set(place, item);
  }

  #sink(from: number): void {
    const item = this.#items[from];
    if (item === undefined) return;
    let place = from;
    for (;;) {
      const child = this.#smallerChild(place);
      const below = child === undefined ? undefined : this.#items[child];
      if (child === undefined || below === undefined || !this.#isBefore(below, item)) break;
      this.#set(place, below);
      place = child;
    }
    this.#set(place, item);
  }

  #smallerChild(place: number): number | undefined {
    const left = 2 * place + 1;
    const a = this.#items[left];
    const b = this.#items[left + 1];
    if (a === undefined) return undefined;
    return b !== undefined && this.#isBefore(b, a) ? left + 1 : left;
  }
}

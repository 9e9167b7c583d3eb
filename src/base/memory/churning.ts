// Maps and sets whose members come and go with requests. V8's own grow a new table after so many deletions and let the old one point to it. Once one table is
// in the old generation, a minor collection takes it for alive, whether it is or not, and with it every table that followed: all members that were there
// when a table was left (requests under way, with all that belongs to them) are promoted, and stay until the whole heap is collected. A set of 16 members
// that changed 200,000 times cost ten times the CPU of one that does not do that. These here begin with an empty V8 map instead, which nothing points to.

/** So many deletions at least are left to V8. */
const fewDeletions = 16;

/** In order of insertion, as a Map is. Who goes through the members sees those that were there at the beginning, or fewer. */
export class ChurningMap<K, V> {
  #map = new Map<K, V>();
  #deletions = 0;

  get size(): number {
    return this.#map.size;
  }

  get(key: K): V | undefined {
    return this.#map.get(key);
  }

  has(key: K): boolean {
    return this.#map.has(key);
  }

  set(key: K, value: V): void {
    this.#map.set(key, value);
  }

  delete(key: K): boolean {
    if (!this.#map.delete(key)) return false;
    if (++this.#deletions > Math.max(fewDeletions, this.#map.size)) this.#renew();
    return true;
  }

  clear(): void {
    if (this.#map.size > 0 || this.#deletions > 0) this.#map = new Map();
    this.#deletions = 0;
  }

  keys(): MapIterator<K> {
    return this.#map.keys();
  }

  values(): MapIterator<V> {
    return this.#map.values();
  }

  #renew(): void {
    this.#map = new Map(this.#map);
    this.#deletions = 0;
  }
}

/** The same as a set. */
export class ChurningSet<T> {
  readonly #members = new ChurningMap<T, T>();

  get size(): number {
    return this.#members.size;
  }

  has(member: T): boolean {
    return this.#members.has(member);
  }

  add(member: T): void {
    this.#members.set(member, member);
  }

  delete(member: T): boolean {
    return this.#members.delete(member);
  }

  clear(): void {
    this.#members.clear();
  }

  [Symbol.iterator](): MapIterator<T> {
    return this.#members.keys();
  }
}

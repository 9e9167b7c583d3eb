export type HeaderField = readonly [name: string, value: string];

/** What RFC 7541 counts for an entry beside its texts. */
const entryOverhead = 32;

export function sizeOfField(name: string, value: string): number {
  return name.length + value.length + entryOverhead;
}

/** The entries that one direction of a connection has agreed on, newest first; the oldest make room. */
export class DynamicTable {
  readonly #onEvicted: ((field: HeaderField) => void) | undefined;
  #fields: HeaderField[] = [];
  /** The fields before this one have been evicted. */
  #first = 0;
  #size = 0;
  #limit: number;

  constructor(limit: number, onEvicted?: (field: HeaderField) => void) {
    this.#limit = limit;
    this.#onEvicted = onEvicted;
  }

  get length(): number {
    return this.#fields.length - this.#first;
  }

  get size(): number {
    return this.#size;
  }

  get limit(): number {
    return this.#limit;
  }

  /** 0 is the newest. */
  at(index: number): HeaderField | undefined {
    return index < this.length ? this.#fields[this.#fields.length - 1 - index] : undefined;
  }

  /** An entry that is larger than the table empties it, and is not kept. */
  add(name: string, value: string): void {
    const size = sizeOfField(name, value);
    this.#makeRoom(this.#limit - size);
    if (size > this.#limit) return;
    this.#fields.push([name, value]);
    this.#size += size;
  }

  resize(limit: number): void {
    this.#limit = limit;
    this.#makeRoom(limit);
  }

  #makeRoom(allowed: number): void {
    while (this.#size > allowed && this.length > 0) {
      const oldest = this.#fields[this.#first++] as HeaderField;
      this.#size -= sizeOfField(...oldest);
      this.#onEvicted?.(oldest);
    }
    if (this.#first > 64 && this.#first * 2 > this.#fields.length) {
      this.#fields = this.#fields.slice(this.#first);
      this.#first = 0;
    }
  }
}

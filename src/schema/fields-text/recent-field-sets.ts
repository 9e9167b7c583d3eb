// The field sets of the last objects. A controller owns its objects alike, so that the next set is often one of them: then its end need not
// be searched nor its text decoded, and maps that are asked for that text have hashed it before. test/bench/codec.ts pays for this.
export interface RecentFieldSet {
  readonly text: string;
  readonly length: number;
}

interface Kept extends RecentFieldSet {
  readonly bytes: Buffer;
  /** One byte from within, which tells most others apart. */
  readonly sample: number;
}

const slots = 16;
const longest = 64 << 10;

export class RecentFieldSets {
  readonly #kept: Kept[] = [];
  #turn = 0;

  clear(): void {
    this.#kept.length = 0;
    this.#turn = 0;
  }

  /** The set that begins at `start`, if it is one of them. A whole JSON object is no beginning of another one. */
  at(bytes: Buffer, start: number): RecentFieldSet | undefined {
    for (const set of this.#kept) {
      const end = start + set.length;
      if (bytes[start + (set.length >> 1)] === set.sample && end <= bytes.length && bytes.compare(set.bytes, 0, set.length, start, end) === 0) return set;
    }
    return undefined;
  }

  /** `text` is what the bytes from `start` to `end` say. */
  add(bytes: Buffer, start: number, end: number, text: string): RecentFieldSet {
    const length = end - start;
    if (length > longest) return { text, length };
    const set = { text, length, bytes: Buffer.from(bytes.subarray(start, end)), sample: bytes[start + (length >> 1)] as number };
    this.#kept[this.#turn] = set;
    this.#turn = (this.#turn + 1) % slots;
    return set;
  }
}

// Reads ASN.1 in its distinguished encoding, as strictly as the reader that Go parses certificates with (cryptobyte):
// shortest lengths only, tags of one byte, no indefinite forms. Everything that judges certificates and requests reads through this.

/** What is wrong with the bytes, most often in Go's words: validation hands them on. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** `[number]` over a primitive value, and over a constructed one. */
export const primitive = (number: number) => 0x80 + number;
export const constructed = (number: number) => 0xa0 + number;

export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly whole: Buffer;
}

export class DerReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The tag of the next element; undefined at the end. */
  get next(): number | undefined {
    return this.#bytes[this.#at];
  }

  /** Whatever comes next; `problem` is thrown when it is no element. */
  element(problem: string): DerElement {
    const header = this.#header();
    const stop = header === undefined ? Number.POSITIVE_INFINITY : this.#at + header.size + header.length;
    if (header === undefined || stop > this.#bytes.length) throw new MalformedError(problem);
    const whole = this.#bytes.subarray(this.#at, stop);
    this.#at = stop;
    return { tag: whole[0] ?? 0, content: whole.subarray(header.size), whole };
  }

  wanted(tag: number, problem: string): DerElement {
    const found = this.element(problem);
    if (found.tag !== tag) throw new MalformedError(problem);
    return found;
  }

  content(tag: number, problem: string): Buffer {
    return this.wanted(tag, problem).content;
  }

  /** A reader of what is inside the next element. */
  inside(tag: number, problem: string): DerReader {
    return new DerReader(this.content(tag, problem));
  }

  optional(tag: number, problem: string): Buffer | undefined {
    return this.next === tag ? this.content(tag, problem) : undefined;
  }

  boolean(problem: string): boolean {
    const [value, ...rest] = this.content(tags.boolean, problem);
    if (rest.length > 0 || (value !== 0 && value !== 0xff)) throw new MalformedError(problem);
    return value === 0xff;
  }

  /** Two's complement in as few bytes as possible; `tag` differs where it is implicit. */
  integer(problem: string, tag: number = tags.integer): bigint {
    const bytes = this.content(tag, problem);
    const [first = 0, second = 0] = bytes;
    const isLong = bytes.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
    if (bytes.length === 0 || isLong) throw new MalformedError(problem);
    return BigInt.asIntN(bytes.length * 8, BigInt(`0x${bytes.toString('hex')}`));
  }

  /** An integer that Go's int holds. */
  int(problem: string, tag?: number): number {
    const value = this.integer(problem, tag);
    if (BigInt.asIntN(64, value) !== value) throw new MalformedError(problem);
    return Number(value);
  }

  bitString(problem: string): BitString {
    const content = this.content(tags.bitString, problem);
    const [unused = 8] = content;
    const bytes = content.subarray(1);
    const last = bytes.at(-1) ?? 0;
    if (unused > 7 || (bytes.length === 0 && unused !== 0) || (last & ((1 << unused) - 1)) !== 0) throw new MalformedError(problem);
    return { bytes, unused };
  }

  /** Dotted. */
  objectIdentifier(problem: string): string {
    return dottedOf(this.content(tags.objectIdentifier, problem), problem);
  }

  #header(): { readonly size: number; readonly length: number } | undefined {
    const left = this.#bytes.length - this.#at;
    if (left < 2 || ((this.#bytes[this.#at] ?? 0) & 0x1f) === 0x1f) return undefined;
    const first = this.#bytes[this.#at + 1] ?? 0;
    if (first < 0x80) return { size: 2, length: first };
    const count = first - 0x80;
    if (count === 0 || count > 4 || left < 2 + count) return undefined;
    const length = this.#bytes.readUIntBE(this.#at + 2, count);
    return length < 0x80 || length < 256 ** (count - 1) ? undefined : { size: 2 + count, length };
  }
}

export interface BitString {
  readonly bytes: Buffer;
  /** How many bits at the end do not count. */
  readonly unused: number;
}

/** Numbers up to 31 bits, as Go's own type of identifiers has them. */
function dottedOf(bytes: Buffer, problem: string): string {
  const parts: number[] = [];
  let value = 0;
  let size = 0;
  for (const byte of bytes) {
    if (size === 5 || value >= 2 ** 24 || (size === 0 && byte === 0x80)) throw new MalformedError(problem);
    value = value * 128 + (byte & 0x7f);
    size++;
    if (byte >= 0x80) continue;
    parts.push(value);
    value = 0;
    size = 0;
  }
  const [first, ...rest] = parts;
  if (first === undefined || size > 0) throw new MalformedError(problem);
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
}

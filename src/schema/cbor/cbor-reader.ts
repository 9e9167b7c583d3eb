// CBOR's data items, read one head at a time. What is read here has passed `refuseIllFormed`: no length leads beyond the end.
import { checkedUtf8 } from '#schema/cbor/cbor-error.ts';
import { argumentSize, breakByte, indefinite, itemEnd, readArgument } from '#schema/cbor/item-end.ts';

/** As the original's decoder names them. */
export const majorNames = ['positive integer', 'negative integer', 'byte string', 'UTF-8 text string', 'array', 'map', 'tag', 'primitives'] as const;

const shortText = 8;

export class CborReader {
  readonly #bytes: Buffer;
  at = 0;
  /** Of the head just read: the low five bits of its first byte. */
  info = 0;
  /** The argument of the head just read; beyond 2^53 only `argument` is exact. */
  value = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The major type of the next item. */
  get next(): number {
    return this.nextByte >> 5;
  }

  get nextByte(): number {
    return this.#bytes[this.at] as number;
  }

  get nextIsNull(): boolean {
    return this.nextByte === 0xf6 || this.nextByte === 0xf7;
  }

  /** Reads a head and returns its major type. */
  head(): number {
    const bytes = this.#bytes;
    const initial = bytes[this.at] as number;
    this.info = initial & 31;
    const size = argumentSize(this.info);
    this.value = size === 0 ? this.info : Number(readArgument(bytes, this.at + 1, size));
    this.at += 1 + size;
    return initial >> 5;
  }

  /** The exact argument of the head just read. */
  get argument(): bigint {
    return this.info === 27 ? this.#bytes.readBigUInt64BE(this.at - 8) : BigInt(this.value);
  }

  /** How many items follow the head of an array or map; undefined: up to a break. */
  get count(): number | undefined {
    return this.info === indefinite ? undefined : this.value;
  }

  /** Whether one more item of a container of this count follows, `index` of them being read; takes the break at its end. */
  continues(count: number | undefined, index: number): boolean {
    if (count !== undefined) return index < count;
    if (this.nextByte !== breakByte) return true;
    this.at++;
    return false;
  }

  bytes(): Buffer {
    this.head();
    if (this.info !== indefinite) return this.#take(this.value);
    const chunks: Buffer[] = [];
    while (this.continues(undefined, 0)) {
      this.head();
      chunks.push(this.#take(this.value));
    }
    return Buffer.concat(chunks);
  }

  /** A byte string as text. */
  byteText(): string {
    const start = this.at;
    this.head();
    if (this.info === indefinite) {
      this.at = start;
      return this.bytes().toString();
    }
    const from = this.at;
    this.at += this.value;
    return this.#short(from, this.at) ?? this.#bytes.toString('utf8', from, this.at);
  }

  /** Plain texts of a few letters, which most keys are: a call into native code costs more than reading them. */
  #short(from: number, end: number): string | undefined {
    if (end - from > shortText) return undefined;
    let text = '';
    for (let at = from; at < end; at++) {
      const byte = this.#bytes[at] as number;
      if (byte > 0x7f) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** Throws a CborError where it is no UTF-8; the whole item is read all the same. */
  text(): string {
    const start = this.at;
    this.head();
    if (this.info !== indefinite) {
      const from = this.at;
      this.at += this.value;
      return this.#short(from, this.at) ?? checkedUtf8(this.#bytes.subarray(from, this.at));
    }
    this.at = start;
    const end = itemEnd(this.#bytes, start);
    this.at++;
    let text = '';
    try {
      while (this.continues(undefined, 0)) {
        this.head();
        text += checkedUtf8(this.#take(this.value));
      }
    } finally {
      this.at = end;
    }
    return text;
  }

  /** The number in the head of a float that has just been read. */
  float(): number {
    switch (this.info) {
      case 25:
        return readHalf(this.#bytes.readUInt16BE(this.at - 2));
      case 26:
        return this.#bytes.readFloatBE(this.at - 4);
      default:
        return this.#bytes.readDoubleBE(this.at - 8);
    }
  }

  skip(): void {
    this.at = itemEnd(this.#bytes, this.at);
  }

  #take(size: number): Buffer {
    const start = this.at;
    this.at += size;
    return this.#bytes.subarray(start, this.at);
  }
}

export function readHalf(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
}

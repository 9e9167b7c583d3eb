// Protobuf's wire format, written from the last byte to the first: the length of a nested message is known when it is needed.

const smallest = 4096;

export class ProtobufWriter {
  #buffer: Buffer;
  /** Where the written part begins. */
  #position: number;

  constructor(capacity = smallest) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#position = capacity;
  }

  /** How much is written so far; the difference of two lengths is the size of what was written between. */
  get length(): number {
    return this.#buffer.length - this.#position;
  }

  get capacity(): number {
    return this.#buffer.length;
  }

  /** A copy of what is written; the writer is empty again. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(this.#position));
    this.#position = this.#buffer.length;
    return bytes;
  }

  /** What is written, as it lies: for writers of one message, which are not used again. */
  get written(): Buffer {
    return this.#buffer.subarray(this.#position);
  }

  clear(): void {
    this.#position = this.#buffer.length;
  }

  /** Tag of a field: number and wire type. */
  key(tag: number, wireType: number): void {
    const value = (tag << 3) | wireType;
    if (value < 0x80) this.#byte(value);
    else this.#unsigned32(value);
  }

  /** Length and tag of the nested message (or text) whose bytes were written since `length` was `before`. */
  close(tag: number, before: number): void {
    this.#unsigned32(this.length - before);
    this.key(tag, 2);
  }

  boolean(value: boolean): void {
    this.#byte(value ? 1 : 0);
  }

  /** Negative numbers take ten bytes, as in every two's complement varint. */
  varint(value: number | bigint): void {
    if (typeof value === 'bigint') this.#unsigned64(BigInt.asUintN(64, value));
    else if (value >= 0 && value <= 0xffffffff) this.#unsigned32(value);
    else this.#halves(Math.floor(value / 0x100000000) >>> 0, value >>> 0);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#position -= 8;
    this.#buffer.writeDoubleLE(value, this.#position);
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#position -= value.length;
    this.#buffer.set(value, this.#position);
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#position -= size;
    if (size === value.length && size < 24) this.#ascii(value);
    else this.#buffer.write(value, this.#position, size, 'utf8');
  }

  /** For short texts the call into native code costs more than the copy. */
  #ascii(value: string): void {
    for (let i = 0; i < value.length; i++) this.#buffer[this.#position + i] = value.charCodeAt(i);
  }

  #unsigned32(value: number): void {
    this.#reserve(5);
    let size = 1;
    for (let rest = value >>> 7; rest !== 0; rest >>>= 7) size++;
    this.#position -= size;
    let rest = value >>> 0;
    let at = this.#position;
    for (; rest > 0x7f; rest >>>= 7) this.#buffer[at++] = (rest & 0x7f) | 0x80;
    this.#buffer[at] = rest;
  }

  #halves(high: number, low: number): void {
    this.#unsigned64((BigInt(high) << 32n) | BigInt(low));
  }

  #unsigned64(value: bigint): void {
    const groups: number[] = [];
    let rest = value;
    for (; rest > 0x7fn; rest >>= 7n) groups.push(Number(rest & 0x7fn) | 0x80);
    groups.push(Number(rest));
    this.bytes(Uint8Array.from(groups));
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[--this.#position] = value;
  }

  #reserve(size: number): void {
    if (this.#position >= size) return;
    const used = this.length;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, used + size));
    this.#buffer.copy(grown, grown.length - used, this.#position);
    this.#position = grown.length - used;
    this.#buffer = grown;
  }
}

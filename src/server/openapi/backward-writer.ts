// Writes protobuf from its end to its beginning, so that the length of a message is known when its header is written.

export class BackwardWriter {
  #buffer: Buffer;
  /** Where the next byte goes is just before this. */
  #start: number;

  constructor(capacity = 1 << 16) {
    this.#buffer = Buffer.allocUnsafe(capacity);
    this.#start = capacity;
  }

  /** How much has been written. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#buffer.write(value, this.#start, size, 'utf8');
  }

  double(value: number): void {
    this.#reserve(8);
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  varint(value: number | bigint): void {
    const bytes = varintBytes(BigInt.asUintN(64, BigInt(value)));
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#start);
  }

  /** The header of a field; `wireType` is 0 for varints, 1 for doubles, 2 for anything with a length. */
  tag(number: number, wireType: 0 | 1 | 2): void {
    this.varint(number * 8 + wireType);
  }

  finish(): Buffer {
    return this.#buffer.subarray(this.#start);
  }

  #reserve(size: number): void {
    if (size > this.#start) this.#grow(size);
    this.#start -= size;
  }

  #grow(size: number): void {
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.length + size));
    const start = grown.length - this.length;
    this.#buffer.copy(grown, start, this.#start);
    this.#buffer = grown;
    this.#start = start;
  }
}

function varintBytes(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

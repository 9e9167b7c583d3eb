// CBOR's wire format, written in its deterministic form: the shortest heads and numbers. Texts are byte strings, as the original writes them.

const least = 1024;

export class CborWriter {
  #bytes = Buffer.allocUnsafe(least);
  #at = 0;

  take(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  head(kind: number, argument: number): void {
    this.#reserve(9);
    const initial = kind << 5;
    if (argument < 24) this.#bytes[this.#at++] = initial | argument;
    else if (argument < 0x100) {
      this.#bytes[this.#at++] = initial | 24;
      this.#bytes[this.#at++] = argument;
    } else if (argument < 0x10000) {
      this.#bytes[this.#at++] = initial | 25;
      this.#at = this.#bytes.writeUInt16BE(argument, this.#at);
    } else if (argument < 0x100000000) {
      this.#bytes[this.#at++] = initial | 26;
      this.#at = this.#bytes.writeUInt32BE(argument, this.#at);
    } else this.#long(initial, BigInt(argument));
  }

  #long(initial: number, argument: bigint): void {
    this.#bytes[this.#at++] = initial | 27;
    this.#at = this.#bytes.writeBigUInt64BE(argument, this.#at);
  }

  integer(value: number | bigint): void {
    if (typeof value === 'number') return value < 0 ? this.head(1, -1 - value) : this.head(0, value);
    if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) return this.integer(Number(value));
    this.#reserve(9);
    this.#long(value < 0n ? 1 << 5 : 0, value < 0n ? -1n - value : value);
  }

  /** In the smallest of the three sizes that loses nothing. */
  float(value: number): void {
    this.#reserve(9);
    const half = Math.fround(value) === value ? halfOf(value) : undefined;
    if (half !== undefined) {
      this.#bytes[this.#at++] = 0xf9;
      this.#at = this.#bytes.writeUInt16BE(half, this.#at);
    } else if (Math.fround(value) === value) {
      this.#bytes[this.#at++] = 0xfa;
      this.#at = this.#bytes.writeFloatBE(value, this.#at);
    } else {
      this.#bytes[this.#at++] = 0xfb;
      this.#at = this.#bytes.writeDoubleBE(value, this.#at);
    }
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.head(2, size);
    this.#reserve(size);
    this.#at += size < 24 && size === value.length ? this.#ascii(value) : this.#bytes.write(value, this.#at);
  }

  /** A call into native code costs more than a short text. */
  #ascii(value: string): number {
    for (let i = 0; i < value.length; i++) this.#bytes[this.#at + i] = value.charCodeAt(i);
    return value.length;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + size));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

const single = new DataView(new ArrayBuffer(4));

/** The bits of a half-precision number that is exactly this one, if there is one. */
function halfOf(value: number): number | undefined {
  single.setFloat32(0, value);
  const bits = single.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 255) - 127;
  const fraction = bits & 0x7fffff;
  if (exponent === -127 && fraction === 0) return sign;
  if (exponent >= -14 && exponent <= 15) return (fraction & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (fraction >>> 13) : undefined;
  if (exponent < -24 || exponent > 15) return undefined;
  const shift = -1 - exponent;
  const significand = fraction | 0x800000;
  return significand % 2 ** shift === 0 ? sign | (significand / 2 ** shift) : undefined;
}

// Protobuf's wire format, read. Everything that does not fit is a ProtobufError with the words of the original's decoder.
import { textOfBytes } from '#base/byte-text.ts';

export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** Bounds what a client's message may make of its bytes; every field of ours takes at least two. */
export interface FieldLimit {
  readonly most: number;
  readonly refusal: () => Error;
}

/** Deeper messages are refused: the original would go on until its stack, far larger than ours, is full. */
const deepest = 1000;

export class ProtobufReader {
  readonly #bytes: Buffer;
  #position = 0;
  #end: number;
  #depth = 0;
  readonly #limit: FieldLimit | undefined;
  readonly #mostFields: number;
  #fields = 0;
  /** The upper half of the varint just read. */
  #high = 0;

  constructor(bytes: Uint8Array, limit?: FieldLimit) {
    this.#limit = limit;
    this.#mostFields = limit?.most ?? Number.POSITIVE_INFINITY;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  get done(): boolean {
    return this.#position >= this.#end;
  }

  /** The tag of the next field: number times eight plus wire type. */
  key(message: string): number {
    this.count();
    const key = this.#varint();
    const wireType = key & 7;
    const tag = key >> 3;
    if (wireType === 4) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    if (tag <= 0) throw new ProtobufError(`proto: ${message}: illegal tag ${tag} (wire type ${key})`);
    return key;
  }

  /** One more field or packed number. */
  count(): void {
    if (++this.#fields > this.#mostFields) throw this.#limit?.refusal();
  }

  int32(): number {
    return this.#varint() | 0;
  }

  /** A number where that is exact, else a bigint. */
  int64(): number | bigint {
    const low = this.#varint();
    const high = this.#high | 0;
    const value = high * 0x100000000 + low;
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low);
  }

  boolean(): boolean {
    return this.#varint() !== 0 || this.#high !== 0;
  }

  double(): number {
    const at = this.#advance(8);
    return this.#bytes.readDoubleLE(at);
  }

  text(): string {
    const size = this.#length();
    const at = this.#advance(size);
    return size === 0 ? '' : size < 16 ? this.#shortText(at, size) : textOfBytes(this.#bytes, at, at + size);
  }

  bytes(): Buffer {
    const size = this.#length();
    const at = this.#advance(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** Lets `read` see the nested message only. */
  nested(read: (reader: ProtobufReader) => void): void {
    const outer = this.enter();
    read(this);
    this.leave(outer);
  }

  /** The same without a function: the nested message is all there is until `leave` gets what this returned. */
  enter(): number {
    const size = this.#length();
    const outer = this.#end;
    const inner = this.#position + size;
    if (inner > outer) throw new ProtobufError('unexpected EOF');
    if (++this.#depth > deepest) throw new ProtobufError('proto: message is nested too deeply');
    this.#end = inner;
    return outer;
  }

  leave(outer: number): void {
    this.#position = this.#end;
    this.#end = outer;
    this.#depth--;
  }

  /** Passes over the value of a field nobody declared. */
  skip(wireType: number): void {
    if (wireType === 0) this.#varint();
    else if (wireType === 1) this.#advance(8);
    else if (wireType === 2) this.#advance(this.#length());
    else if (wireType === 5) this.#advance(4);
    else if (wireType === 3) this.#skipGroup();
    else throw new ProtobufError(`proto: illegal wireType ${wireType}`);
  }

  #skipGroup(): void {
    for (let depth = 1; depth > 0; ) {
      const wireType = this.#varint() & 7;
      if (wireType === 3) depth++;
      else if (wireType === 4) depth--;
      else this.skip(wireType);
    }
  }

  #shortText(at: number, size: number): string {
    let text = '';
    for (let i = at; i < at + size; i++) {
      const byte = this.#bytes[i] ?? 0;
      if (byte > 0x7f) return textOfBytes(this.#bytes, at, at + size);
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #length(): number {
    const size = this.#varint();
    if (this.#high !== 0 || size > 0x7fffffff) throw new ProtobufError('proto: negative length found during unmarshaling');
    return size;
  }

  #advance(size: number): number {
    const at = this.#position;
    if (at + size > this.#end) throw new ProtobufError('unexpected EOF');
    this.#position = at + size;
    return at;
  }

  /** The lower 32 bits, unsigned; the upper ones stay in `#high`. Nearly all are of one byte. */
  #varint(): number {
    if (this.#position < this.#end) {
      const byte = this.#bytes[this.#position] as number;
      if (byte < 0x80) {
        this.#position++;
        this.#high = 0;
        return byte;
      }
    }
    return this.#longVarint();
  }

  #longVarint(): number {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      if (this.#position >= this.#end) throw new ProtobufError('unexpected EOF');
      const byte = this.#bytes[this.#position++] ?? 0;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.#high = high >>> 0;
        return low >>> 0;
      }
    }
    throw new ProtobufError('proto: integer overflow');
  }
}

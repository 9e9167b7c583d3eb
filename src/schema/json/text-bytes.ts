// Text that grows as bytes: short ASCII pieces are put in place one by one, which costs less than joining strings and encoding the result.
import { quoteJson } from '#schema/json/json-text.ts';

const QUOTE = 0x22;
const MINUS = 0x2d;
const ZERO = 0x30;
const LONGEST_INTEGER = 11;
const FIRST_ROOM = 32 << 10;
/** What one large text needed is not kept for the small ones after it. */
const KEPT_ROOM = 1 << 20;
/** From here on the native ways are faster than ours. */
const LONG_TEXT = 120;
const LONG_PIECE = 60;
const BYTES_PER_UNIT = 3;

/** 1 for the ASCII characters that stand in JSON text as they are, by `quoteJson`'s rules. */
export const plain = Uint8Array.from({ length: 128 }, (_, code) => (code >= 0x20 && !'"\\<>&'.includes(String.fromCharCode(code)) ? 1 : 0));

export class TextBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
  length = 0;

  /** Bytes of JSON text, as they are; `ascii` makes them. */
  piece(piece: Uint8Array): void {
    this.part(piece, 0, piece.length);
  }

  part(piece: Uint8Array, from: number, to: number): void {
    this.#room(to - from);
    const bytes = this.#bytes;
    let at = this.length;
    if (to - from > LONG_PIECE) {
      bytes.set(from === 0 && to === piece.length ? piece : piece.subarray(from, to), at);
      at += to - from;
    } else {
      for (let index = from; index < to; index++) bytes[at++] = piece[index] as number;
    }
    this.length = at;
  }

  byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.length++] = byte;
  }

  /** A number that has 32 bits. */
  integer(integer: number): void {
    this.#room(LONGEST_INTEGER);
    const bytes = this.#bytes;
    let rest = integer;
    if (rest < 0) {
      bytes[this.length++] = MINUS;
      rest = -rest;
    }
    let end = this.length + 1;
    for (let bound = 10; bound <= rest; bound *= 10) end++;
    this.length = end;
    do {
      const tenth = Math.floor(rest / 10);
      bytes[--end] = ZERO + rest - tenth * 10;
      rest = tenth;
    } while (rest > 0);
  }

  quoted(text: string): void {
    if (text.length > LONG_TEXT) return this.text(quoteJson(text));
    this.#room(text.length + 2);
    const bytes = this.#bytes;
    let at = this.length;
    bytes[at++] = QUOTE;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 128 || plain[code] === 0) return this.text(quoteJson(text));
      bytes[at++] = code;
    }
    bytes[at++] = QUOTE;
    this.length = at;
  }

  /** JSON text, as it is. */
  text(text: string): void {
    this.#room(text.length * BYTES_PER_UNIT);
    this.length += this.#bytes.write(text, this.length);
  }

  /** Replaces what was written there. */
  setByte(at: number, byte: number): void {
    this.#bytes[at] = byte;
  }

  /** A copy of what was written, in `room`; the next text begins. */
  take(room: (length: number) => Buffer = Buffer.allocUnsafe): Buffer {
    const taken = room(this.length);
    this.#bytes.copy(taken, 0, 0, this.length);
    this.length = 0;
    if (this.#bytes.length > KEPT_ROOM) this.#bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
    return taken;
  }

  #room(more: number): void {
    if (this.length + more > this.#bytes.length) this.#grow(more);
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.length + more));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

export function ascii(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

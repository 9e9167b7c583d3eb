// Text that grows as bytes: short ASCII pieces are put in place one by one, which costs less than joining strings and encoding the result.
import { quoteJson } from '#schema/json-text.ts';

const QUOTE = 0x22;
const FIRST_ROOM = 32 << 10;
/** What one large text needed is not kept for the small ones after it. */
const KEPT_ROOM = 1 << 20;
/** From here on the native ways are faster than ours. */
const LONG_TEXT = 120;
const LONG_PIECE = 60;
const BYTES_PER_UNIT = 3;

/** 1 for the ASCII characters that stand in JSON text as they are, by `quoteJson`'s rules. */
const plain = Uint8Array.from({ length: 128 }, (_, code) => (code >= 0x20 && !'"\\<>&'.includes(String.fromCharCode(code)) ? 1 : 0));

export class TextBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_ROOM);
  length = 0;

  /** Bytes of JSON text, as they are; `ascii` makes them. */
  piece(piece: Uint8Array): void {
    this.#room(piece.length);
    if (piece.length > LONG_PIECE) {
      this.#bytes.set(piece, this.length);
      this.length += piece.length;
      return;
    }
    const bytes = this.#bytes;
    let at = this.length;
    for (let index = 0; index < piece.length; index++) bytes[at++] = piece[index] as number;
    this.length = at;
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

  /** A copy of what was written; the next text begins. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.length));
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
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

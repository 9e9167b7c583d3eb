// Pieces that are there already, as a text for buffers of another size.
import type { Text } from '#server/answer/list-text.ts';

export class PiecesText implements Text {
  readonly length: number;
  readonly #pieces: readonly Uint8Array[];
  #next = 0;
  #within = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  fill(target: Buffer): number {
    let at = 0;
    while (at < target.length && this.#next < this.#pieces.length) {
      const piece = this.#pieces[this.#next] as Uint8Array;
      const part = piece.subarray(this.#within, this.#within + target.length - at);
      target.set(part, at);
      at += part.length;
      this.#within += part.length;
      if (this.#within === piece.length) this.#advance();
    }
    return at;
  }

  #advance(): void {
    this.#next += 1;
    this.#within = 0;
  }
}

// A form of a shape, taken apart: what is constant in it, what stands between, and which message each part belongs to.

/** How the text in a hole is written. */
export type HoleKind =
  /** As they stand in JSON: strings, and values without quotes. */
  | 'raw'
  | 'bare'
  /** Names of members, in JSON and where protobuf has JSON in it. */
  | 'name'
  /** The rest is protobuf: text and decoded base64 with their lengths, numbers as varints, times as seconds and nanoseconds. */
  | 'text'
  | 'base64'
  | 'integer'
  | 'boolean'
  | 'seconds'
  | 'microSeconds'
  | 'nanos';

export interface Hole {
  readonly is: HoleKind;
  readonly hole: number;
}

/** A message with holes in it: its length, then its pieces. */
export interface Message {
  readonly is: 'message';
  readonly pieces: readonly Piece[];
}

export type Piece = Buffer | Hole | Message;

/** What a part of a form is: one of the kinds of holes, or the length of a message. */
export const partCodes = { raw: 0, bare: 1, name: 2, text: 3, base64: 4, integer: 5, boolean: 6, seconds: 7, microSeconds: 8, nanos: 9, message: 10 } as const;

/** The pieces in one row. */
export class FormLayout {
  readonly constants: Buffer[] = [];
  readonly codes: number[] = [];
  readonly shown: number[] = [];
  readonly owners: number[] = [];
  readonly parents: number[] = [0];
  readonly fixed: number[] = [0];
  #constant: Buffer[] = [];

  constructor(pieces: readonly Piece[]) {
    this.#add(pieces, 0);
    this.#closeConstant();
  }

  #add(pieces: readonly Piece[], owner: number): void {
    for (const piece of pieces) {
      if (Buffer.isBuffer(piece)) {
        this.#constant.push(piece);
        this.fixed[owner] = (this.fixed[owner] as number) + piece.length;
      } else if (piece.is === 'message') {
        const inner = this.fixed.push(0) - 1;
        this.parents.push(owner);
        this.#part(partCodes.message, inner, owner);
        this.#add(piece.pieces, inner);
      } else this.#part(partCodes[piece.is], piece.hole, owner);
    }
  }

  #part(code: number, shown: number, owner: number): void {
    this.#closeConstant();
    this.codes.push(code);
    this.shown.push(shown);
    this.owners.push(owner);
  }

  #closeConstant(): void {
    this.constants.push(Buffer.concat(this.#constant));
    this.#constant = [];
  }
}

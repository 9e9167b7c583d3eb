// A value that depends on some holes of a shape only (labels, node name): read once for all objects with the same texts there.
import { TextMemo } from '#base/text-memo.ts';
import type { Shape, Span } from '#base/shapes/shape.ts';

/** Values that are all different are not worth remembering. */
const MOST_CHARACTERS = 4 << 20;

export class SharedValue<T> {
  readonly #shape: Shape;
  readonly #holes: Span;
  readonly #read: (json: Buffer) => T;
  readonly #known = new TextMemo<T>(MOST_CHARACTERS);

  constructor(shape: Shape, paths: readonly (readonly Uint8Array[])[], read: (json: Buffer) => T) {
    const holes = paths.map((path) => shape.holesIn(path)).filter(({ start, end }) => end > start);
    this.#shape = shape;
    this.#holes = holes.length === 0 ? none : { start: Math.min(...holes.map(({ start }) => start)), end: Math.max(...holes.map(({ end }) => end)) };
    this.#read = read;
  }

  /** Of the object packed at `offset`; `json` is all of it. */
  of(packed: Buffer, offset: number, json: () => Buffer): T {
    const texts = this.#shape.textsIn(packed, offset, this.#holes);
    return this.#known.get(texts) ?? this.#known.add(texts, () => this.#read(json()));
  }
}

const none: Span = { start: 0, end: 0 };

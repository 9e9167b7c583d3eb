// Stored protobuf of objects that are alike: written from the texts in their JSON and read back into it, without an object between. What is like
// nothing else is left to encoder and decoder, and learned from.
import type { Shape } from '#base/shapes/shape.ts';
import { ShapeBook } from '#base/shapes/shape-book.ts';
import type { StructSchema } from '#schema/build.ts';
import { envelopeParts } from '#schema/protobuf/protobuf-envelope.ts';
import { compilePieces } from '#schema/shaped/compile-form.ts';
import { compileReader, type FormCodec } from '#schema/shaped/compile-reader.ts';
import type { Piece } from '#schema/shaped/form-layout.ts';
import type { FormReader } from '#schema/shaped/form-reader.ts';
import { HoleForm } from '#schema/shaped/hole-form.ts';
import { PerShape, type ShapeBudget } from '#schema/shaped/per-shape.ts';

/** The book keeps some objects whole; larger ones are rare and seldom alike. */
const longestLearned = 16 << 10;
/** Objects of one controller lie beside each other: so many readers are tried. */
const mostReaders = 8;

export interface ShapedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly codec: FormCodec;
}

export class ShapedProtobuf {
  readonly #kind: ShapedKind;
  readonly #book = new ShapeBook((shape: Shape) => ({ shape }));
  readonly #writers: PerShape<HoleForm>;
  readonly #madeReaders: PerShape<FormReader>;
  /** Last used first. */
  #readers: FormReader[] = [];

  constructor(kind: ShapedKind, budget: ShapeBudget) {
    this.#kind = kind;
    this.#writers = new PerShape((shape) => this.#writerOf(shape), budget);
    this.#madeReaders = new PerShape((shape) => this.#readerOf(shape), budget);
  }

  /** What the store keeps of this JSON. Undefined: it is like no other so far. */
  write(json: Buffer): Buffer | undefined {
    const shape = this.#shapeOf(json);
    const writer = shape && this.#writers.of(shape);
    const length = writer?.measure(json, this.#book.found) ?? -1;
    if (length < 0) return undefined;
    const bytes = Buffer.allocUnsafe(length);
    writer?.write(json, this.#book.found, bytes, 0);
    return bytes;
  }

  /** The JSON of what is stored. Undefined: the decoder has to look at it, and what it has made is to be learned from. */
  read(stored: Buffer): Buffer | undefined {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i] as FormReader;
      const json = reader.read(stored);
      if (json === undefined) continue;
      if (i > 0) this.#use(reader);
      return json;
    }
    return undefined;
  }

  learn(json: Buffer): void {
    const shape = this.#shapeOf(json);
    const reader = shape && this.#madeReaders.of(shape);
    if (reader !== undefined) this.#use(reader);
  }

  #use(reader: FormReader): void {
    this.#readers = [reader, ...this.#readers.filter((each) => each !== reader)].slice(0, mostReaders);
  }

  #shapeOf(json: Buffer): Shape | undefined {
    return json.length > longestLearned ? undefined : this.#book.find(json)?.shaped.shape;
  }

  #writerOf(shape: Shape): HoleForm | undefined {
    const pieces = this.#piecesOf(shape);
    return pieces && new HoleForm(pieces);
  }

  #readerOf(shape: Shape): FormReader | undefined {
    const pieces = this.#piecesOf(shape);
    return pieces && compileReader(shape, pieces, this.#kind.codec);
  }

  #piecesOf(shape: Shape): readonly Piece[] | undefined {
    const { apiVersion, kind, schema, codec } = this.#kind;
    const pieces = compilePieces(shape, { parse: codec.parse, show: (object) => object, as: { protobuf: schema } });
    const { before, after } = envelopeParts(apiVersion, kind);
    return pieces && [before, { is: 'message', pieces }, after];
  }
}

// From a shape to the form that its objects have in protobuf or in other JSON. The encoder writes the object of the shape twice, with other
// markers in its holes each time: markers that come out as they went in are holes of the form, and where the two still differ, something was
// made of a value that only the encoder can make; such a shape has no form, and its objects are written as objects.
import type { KubernetesObject } from '#api/object.ts';
import type { Shape } from '#base/shapes/shape.ts';
import type { StructSchema } from '#schema/build.ts';
import { encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { fieldWriterOf } from '#schema/protobuf/protobuf-encode.ts';
import type { HoleKind, Piece } from '#schema/shaped/form-layout.ts';
import { HoleForm } from '#schema/shaped/hole-form.ts';
import { type Markers, markersFor } from '#schema/shaped/markers.ts';
import { ProtobufRecorder } from '#schema/shaped/protobuf-recorder.ts';
import { splitAtMarkers } from '#schema/shaped/split-at-markers.ts';

export interface ShownForm {
  readonly parse: (json: Buffer) => KubernetesObject;
  /** What is shown of an object. It may choose by names of members, not by values. */
  readonly show: (object: KubernetesObject) => object;
  /** The schema of protobuf, or what writes JSON. */
  readonly as: { readonly protobuf: StructSchema } | { readonly json: (shown: object) => string };
}

/** As an object. */
export function encodeShown(object: KubernetesObject, { show, as }: ShownForm): Buffer {
  return 'protobuf' in as ? encodeProtobuf(as.protobuf, show(object)) : Buffer.from(as.json(show(object)));
}

export function compileForm(shape: Shape, form: ShownForm): HoleForm | undefined {
  const pieces = compilePieces(shape, form);
  return pieces && new HoleForm(pieces);
}

/** What the form is made of, for what puts something around it or reads it. */
export function compilePieces(shape: Shape, form: ShownForm): readonly Piece[] | undefined {
  try {
    const [pieces, others] = [0, 1].map((set) => piecesOf(markersFor(shape, set), form)) as [readonly Piece[], readonly Piece[]];
    return areSame(pieces, others) ? pieces : undefined;
  } catch {
    // Markers are no durations, for one.
    return undefined;
  }
}

function piecesOf(markers: Markers, { parse, show, as }: ShownForm): readonly Piece[] {
  const shown = show(parse(markers.json));
  if ('json' in as) return splitAtMarkers(as.json(shown), markers.texts, (marker) => kindInJson(marker, markers));
  const recorder = new ProtobufRecorder(markers);
  fieldWriterOf(as.protobuf)(recorder, shown as Record<string, unknown>);
  return merged(recorder.pieces);
}

function kindInJson(marker: string, { names, numbers }: Markers): HoleKind {
  if (names.has(marker)) return 'name';
  return numbers.has(Number(marker)) ? 'bare' : 'raw';
}

/** Bytes that follow each other are one piece. */
function merged(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (Buffer.isBuffer(piece) && Buffer.isBuffer(last)) result[result.length - 1] = Buffer.concat([last, piece]);
    else if (!Buffer.isBuffer(piece) && piece.is === 'message') result.push({ is: 'message', pieces: merged(piece.pieces) });
    else result.push(piece);
  }
  return result;
}

function areSame(some: readonly Piece[], others: readonly Piece[]): boolean {
  return some.length === others.length && some.every((piece, i) => isSame(piece, others[i] as Piece));
}

function isSame(one: Piece, other: Piece): boolean {
  if (Buffer.isBuffer(one) || Buffer.isBuffer(other)) return Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other);
  if (one.is === 'message' || other.is === 'message') return one.is === 'message' && other.is === 'message' && areSame(one.pieces, other.pieces);
  return one.is === other.is && one.hole === other.hole;
}

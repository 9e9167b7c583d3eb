// From a shape and its form in protobuf to what reads that form. A reader is made only where encoder and decoder, asked about objects of the
// shape with other values in its holes, agree with it: then the decoder would make the same of whatever the reader takes.
import type { KubernetesObject } from '#api/object.ts';
import type { Shape } from '#base/shapes/shape.ts';
import { isoSeconds } from '#schema/protobuf/protobuf-types.ts';
import { DefaultsGuard } from '#schema/shaped/defaults-guard.ts';
import type { HoleKind, Piece } from '#schema/shaped/form-layout.ts';
import { FormReader } from '#schema/shaped/form-reader.ts';
import { placeHoles } from '#schema/shaped/shaped-object.ts';

export interface FormCodec {
  /** By the encoder. */
  readonly toStored: (json: Buffer) => Buffer;
  /** By the decoder, before `applyDefaults`. */
  readonly decode: (stored: Buffer) => object;
  readonly applyDefaults: (object: object) => void;
  readonly parse: (json: Buffer) => KubernetesObject;
  readonly encode: (object: object) => Buffer;
}

type Values = 'some' | 'other' | 'zero';

/** `pieces`: of all that is stored of an object. */
export function compileReader(shape: Shape, pieces: readonly Piece[], codec: FormCodec): FormReader | undefined {
  const kinds = holeKinds(pieces);
  const sample = (values: Values) => sampleOf(shape, kinds, values);
  try {
    const placed = placeHoles(shape, codec.parse);
    const guard = placed && new DefaultsGuard(placed.object, placed.places, codec.applyDefaults);
    const reader = guard && FormReader.of(shape, pieces, { guard, takesZero: isReadBack(sample('zero'), codec) });
    const isSame = (json: Buffer) => isReadBack(json, codec) && reader?.read(codec.toStored(json))?.equals(json) === true;
    return isSame(sample('some')) && isSame(sample('other')) ? reader : undefined;
  } catch {
    // A sample is no quantity, for one.
    return undefined;
  }
}

function holeKinds(pieces: readonly Piece[]): ReadonlyMap<number, HoleKind> {
  const kinds = new Map<number, HoleKind>();
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) continue;
    if (piece.is === 'message') for (const [hole, kind] of holeKinds(piece.pieces)) kinds.set(hole, kind);
    else kinds.set(piece.hole, piece.is);
  }
  return kinds;
}

/** An object of the shape: where two values were the same (two addresses of a pod), they are in the sample. Zero: its integers are. */
function sampleOf({ base, holes }: Shape, kinds: ReadonlyMap<number, HoleKind>, values: Values): Buffer {
  const pieces: Uint8Array[] = [];
  const first = new Map<string, number>();
  let at = 0;
  for (let hole = 0; hole < holes.length / 2; hole++) {
    const [start, end] = [holes[2 * hole], holes[2 * hole + 1]] as [number, number];
    const text = base.toString('latin1', start, end);
    if (!first.has(text)) first.set(text, hole);
    pieces.push(base.subarray(at, start), Buffer.from(sampleValue(kinds.get(hole), first.get(text) as number, values)));
    at = end;
  }
  return Buffer.concat([...pieces, base.subarray(at)]);
}

function sampleValue(kind: HoleKind | undefined, hole: number, values: Values): string {
  const number = hole + (values === 'other' ? 1_000_000 : 1_000);
  if (kind === 'boolean') return values === 'other' ? 'false' : 'true';
  if (kind === 'seconds') return `${isoSeconds(1_000_000_000 + number)}Z`;
  if (kind === 'integer') return values === 'zero' ? '0' : String(number);
  return `sample-${number}`;
}

function isReadBack(json: Buffer, { toStored, decode, applyDefaults, encode }: FormCodec): boolean {
  const object = decode(toStored(json));
  applyDefaults(object);
  return encode(object).equals(json);
}

// CBOR for whoever answers requests; loaded only where the gate CBORServingAndStorage is on.
import type * as cbor from '#schema/cbor/cbor.ts';
import { optional, string, struct, type StructSchema } from '#schema/build.ts';
import { CborError } from '#schema/cbor/cbor-error.ts';
import { decodeTyped, decodeUntyped } from '#schema/cbor/cbor-decode.ts';
import { cborWriterOf, writeUntyped } from '#schema/cbor/cbor-encode.ts';
import { CborWriter } from '#schema/cbor/cbor-writer.ts';
import { diagnoseCbor } from '#schema/cbor/diagnose.ts';
import { refuseIllFormed } from '#schema/cbor/well-formed.ts';

/** This module, for those who are handed it. */
export type Cbor = typeof cbor;

export { CborError, decodeTyped, decodeUntyped, diagnoseCbor, refuseIllFormed };

/** What a document says it is; what it leaves out is empty. Also refuses what is no document at all. */
export function readTypeMeta(bytes: Buffer): { readonly apiVersion: string; readonly kind: string } {
  refuseIllFormed(bytes);
  const { apiVersion = '', kind = '' } = (decodeTyped(typeMeta, bytes).value ?? {}) as { apiVersion?: string; kind?: string };
  return { apiVersion, kind };
}

const typeMeta = struct('io.k8s.apimachinery.pkg.apis.meta.v1.TypeMeta', () => ({ apiVersion: optional(0, string), kind: optional(0, string) }));

/** The tag that says «this is CBOR», before every document. */
const selfDescribed = Buffer.from([0xd9, 0xd9, 0xf7]);

export function encodeCbor(schema: StructSchema | undefined, value: object): Buffer {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  if (schema === undefined) writeUntyped(writer, value);
  else cborWriterOf(schema)(writer, value);
  return writer.take();
}

/** One event of a watch: a map of two, around a document. */
export function cborFrame(type: string, object: Buffer): Buffer {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.head(5, 2);
  writer.text('type');
  writer.text(type);
  writer.text('object');
  writer.raw(object);
  return writer.take();
}

/** The list of no items in two parts, between which `count` items shall stand; what stands before the items of a slice of it. */
export function listFrame(empty: Buffer, field: string, count: number): { readonly head: Buffer; readonly tail: Buffer; headOf(items: number): number } {
  const place = new CborWriter();
  place.text(field);
  const key = place.take();
  const items = empty.indexOf(Buffer.concat([key, Buffer.from([0x80])])) + key.length;
  const length = arrayHead(count);
  return {
    head: Buffer.concat([empty.subarray(0, items), length]),
    tail: empty.subarray(items + 1),
    headOf: (some) => items + arrayHead(some).length,
  };
}

function arrayHead(count: number): Buffer {
  const writer = new CborWriter();
  writer.head(4, count);
  return writer.take();
}

// Objects of a built-in kind to protobuf and back, byte for byte as the original writes them.
// The walkers are compiled from the schema on first use: protobuf-encode.ts, protobuf-decode.ts.
import { tooLarge } from '#api/api-error.ts';
import { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#base/protobuf/protobuf-writer.ts';
import type { StructSchema } from '#schema/build.ts';
import { mostElements } from '#schema/element-limit.ts';
import { structReaderOf } from '#schema/protobuf/protobuf-decode.ts';
import { fieldWriterOf } from '#schema/protobuf/protobuf-encode.ts';

/** Encoding is synchronous and calls nobody, so one writer serves all; a giant object does not keep its memory. */
let shared: ProtobufWriter | undefined;
const keptCapacity = 1 << 20;

/** The message without `kind` and `apiVersion`, which the envelope carries. Throws for schemas without tags. */
export function encodeProtobuf(schema: StructSchema, value: object): Buffer {
  const writer = shared ?? new ProtobufWriter();
  writer.clear();
  fieldWriterOf(schema)(writer, value as Record<string, unknown>);
  const bytes = writer.take();
  shared = writer.capacity > keptCapacity ? undefined : writer;
  return bytes;
}

/** The object in canonical form, without `kind` and `apiVersion`. Throws a ProtobufError for malformed input. */
export function decodeProtobuf(schema: StructSchema, bytes: Uint8Array): Record<string, unknown> {
  return decodeFrom(schema, new ProtobufReader(bytes));
}

const sentLimit = { most: 2 * mostElements, refusal: () => tooLarge(`limit is ${2 * mostElements} fields and items`) };

/** The same for what a client sent. Go writes empty fields as well, so that there are more of them than in JSON. */
export function decodeSentProtobuf(schema: StructSchema, bytes: Uint8Array): Record<string, unknown> {
  return decodeFrom(schema, new ProtobufReader(bytes, sentLimit));
}

function decodeFrom(schema: StructSchema, reader: ProtobufReader): Record<string, unknown> {
  const { create, readInto } = structReaderOf(schema);
  const object = create();
  readInto(reader, object);
  return object;
}

/** Tables and custom resources exist in JSON only. */
export function hasProtobuf(schema: StructSchema): boolean {
  return Object.values(schema.fields).every(({ tag, via }) => (via?.tag ?? tag) > 0);
}

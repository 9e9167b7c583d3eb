// What stands in the body of a request: objects in JSON, YAML, protobuf and CBOR, and patches.
import { ApiError } from '#api/api-error.ts';
import { decodeReview } from '#admission/webhooks/admission-review.ts';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { DeleteOptions } from '#kinds/meta/v1/options.ts';
import { decodeManagedFields } from '#patch/apply/managed-fields.ts';
import { decodeJsonPatch } from '#patch/json-patch.ts';
import { decodeMergePatch } from '#patch/merge-patch.ts';
import { decodeStrategicMergePatch } from '#patch/strategic-merge-patch.ts';
import { CborError, decodeTyped, decodeUntyped, diagnoseCbor, encodeCbor, readTypeMeta, refuseIllFormed } from '#schema/cbor/cbor.ts';
import { decodeExact } from '#schema/json/decode-exact.ts';
import { noDefaults } from '#schema/defaults.ts';
import { decodeBody, decodeBodyInTurns, decodeJson, decodeValue, readJson, readJsonInTurns } from '#schema/json/decode.ts';
import { parseNode } from '#schema/json/json-node.ts';
import { parseExact, parseJson, parsePlain, parsePlainObject, parseStored, parseWritten } from '#schema/json/parse-json.ts';
import { readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { ProtobufReader } from '#base/protobuf/protobuf-reader.ts';
import { readDuration, readIntOrString, readMessage, readMicroTime, readQuantity, readRaw, readRawJson, readTime } from '#schema/protobuf/protobuf-types.ts';
import { decodeProtobuf, decodeSentProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { parseYamlNode } from '#schema/yaml/yaml-parser.ts';
import { parseYaml, readYaml } from '#schema/yaml/yaml.ts';
import { parseApplied } from '#verbs/apply.ts';
import { decodeBody as decodeRequest } from '#verbs/body.ts';
import type { Call } from '#verbs/call.ts';
import { parseDeleteOptions } from '#verbs/delete-options.ts';
import { Turn } from '#base/next-turn.ts';
import { bodyBytes, type GrowthEntry, numbered, repeated, textEntry } from '../growth-entry.ts';

/** However long it takes: what is measured must not go on later. */
const inOneTurn = () => new Turn(Number.POSITIVE_INFINITY);

type TextOf = (bytes: number) => string;

/** Every reader of JSON gets every hostile text. */
const json = (name: string, text: TextOf): GrowthEntry[] =>
  (
    [
      ['src/schema/json/parse-json.ts#parseJson', (bytes) => parseJson(bytes)],
      ['src/schema/json/parse-json.ts#parsePlain', (bytes) => parsePlain(bytes)],
      ['src/schema/json/parse-json.ts#parsePlainObject', (bytes) => parsePlainObject(bytes)],
      ['src/schema/json/parse-json.ts#parseExact', (bytes) => parseExact(bytes)],
      ['src/schema/json/json-node.ts#parseNode', (bytes) => parseNode(bytes.toString())],
      ['src/schema/json/parse-json.ts#parseStored', (bytes) => parseStored(bytes, ConfigMap)],
      ['src/schema/json/parse-json.ts#parseWritten', (bytes) => parseWritten(bytes.toString())],
      ['src/schema/json/decode.ts#decodeJson', (bytes) => decodeJson(ConfigMap, bytes)],
      ['src/schema/json/decode.ts#readJson', (bytes) => readJson(bytes)],
      ['src/schema/json/decode.ts#readJsonInTurns', (bytes) => readJsonInTurns(bytes, inOneTurn())],
      ['src/schema/json/decode.ts#decodeBody', (bytes) => decodeBody(ConfigMap, readJson(bytes))],
      ['src/schema/json/decode.ts#decodeBodyInTurns', (bytes) => decodeBodyInTurns(ConfigMap, readJson(bytes), inOneTurn())],
      ['src/schema/json/decode.ts#decodeValue', (bytes) => decodeValue(ConfigMap, JSON.parse(bytes.toString()))],
      ['src/schema/json/decode-exact.ts#decodeExact', (bytes) => decodeExact(ConfigMap, parseNode(bytes.toString()))],
      ['src/patch/json-patch.ts#decodeJsonPatch', (bytes) => decodeJsonPatch(bytes)],
      ['src/patch/merge-patch.ts#decodeMergePatch', (bytes) => decodeMergePatch(bytes)],
      ['src/patch/strategic-merge-patch.ts#decodeStrategicMergePatch', (bytes) => decodeStrategicMergePatch(bytes)],
      ['src/verbs/delete-options.ts#parseDeleteOptions', (bytes) => parseDeleteOptions(DeleteOptions, new URLSearchParams(), { mediaType: 'json', bytes })],
    ] satisfies [string, (bytes: Buffer) => unknown][]
  ).map(([covers, take]) => overBytes(`JSON of ${name}: ${covers.split('#')[1]}`, covers, (bytes) => Buffer.from(text(bytes)), take));

const yaml = (name: string, text: TextOf): GrowthEntry[] =>
  (
    [
      ['src/schema/yaml/yaml.ts#parseYaml', parseYaml],
      ['src/schema/yaml/yaml.ts#readYaml', readYaml],
      ['src/schema/yaml/yaml-parser.ts#parseYamlNode', parseYamlNode],
      [
        'src/verbs/apply.ts#parseApplied',
        (value) =>
          parseApplied(
            { group: '', version: 'v1', kind: 'ConfigMap' },
            { mediaType: 'yaml', bytes: Buffer.from(value) },
            { validation: 'Warn', warn: () => {} },
          ),
      ],
    ] satisfies [string, (text: string) => unknown][]
  ).map(([covers, take]) => textEntry(`YAML of ${name}: ${covers.split('#')[1]}`, covers, text, take, bodyBytes));

function overBytes(name: string, covers: string, make: (bytes: number) => Buffer, take: (bytes: Buffer) => unknown): GrowthEntry {
  return {
    name,
    covers: [covers],
    maxBytes: bodyBytes,
    prepare: (bytes) => {
      const made = make(bytes);
      return () => take(made);
    },
  };
}

const configMapKind = { group: '', version: 'v1', kind: 'ConfigMap', schema: ConfigMap, defaults: noDefaults };
/** Decoding only warns. */
const call = { warn: () => {} } as unknown as Call;

const protobufTypes: readonly [string, (reader: ProtobufReader) => unknown][] = [
  ['readQuantity', readQuantity],
  ['readIntOrString', readIntOrString],
  ['readTime', readTime],
  ['readMicroTime', readMicroTime],
  ['readDuration', readDuration],
  ['readRaw', readRaw],
  ['readRawJson', readRawJson],
  ['readMessage', (reader) => readMessage(reader, 'Any', {}, () => false)],
];

/** A message of many unknown fields, with its length in front. */
function unknownFields(bytes: number): Buffer {
  const content = Buffer.from(repeated('\u0078\u0001', Math.max(2, Math.ceil(bytes / 2) * 2)), 'latin1');
  const length: number[] = [];
  for (let rest = content.length; ; rest >>>= 7) {
    if (rest < 128) {
      length.push(rest);
      break;
    }
    length.push((rest & 127) | 128);
  }
  return Buffer.concat([Buffer.from(length), content]);
}

const annotated = (bytes: number) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', annotations: Object.fromEntries(numbered((i) => `key-${i}`, bytes / 2).map((key) => [key, 'v'])) },
});

/** Every reader of CBOR gets every hostile document. */
const cbor = (name: string, make: (bytes: number) => Buffer): GrowthEntry[] =>
  (
    [
      ['src/schema/cbor/well-formed.ts#refuseIllFormed', tried(refuseIllFormed)],
      ['src/schema/cbor/cbor-decode.ts#decodeTyped', tried((bytes) => decodeTyped(ConfigMap, bytes))],
      ['src/schema/cbor/cbor-decode.ts#decodeUntyped', tried(decodeUntyped)],
      ['src/schema/cbor/cbor.ts#readTypeMeta', tried(readTypeMeta)],
      ['src/schema/cbor/diagnose.ts#diagnoseCbor', tried(diagnoseCbor)],
    ] satisfies [string, (bytes: Buffer) => unknown][]
  ).map(([covers, take]) => overBytes(`CBOR of ${name}: ${covers.split('#')[1]}`, covers, make, take));

/** Refused is as good as read. */
function tried(take: (bytes: Buffer) => unknown): (bytes: Buffer) => unknown {
  return (bytes) => {
    try {
      return take(bytes);
    } catch (error) {
      if (error instanceof CborError || error instanceof ApiError) return error;
      throw error;
    }
  };
}

/** An item that is `part` again and again, between a beginning and an end. */
const cborOf = (begin: string, part: string, end: string) => (bytes: number) => {
  const times = Math.floor((bytes * 2) / part.length);
  return Buffer.from(`${begin}${part.repeat(times)}${end}`, 'hex');
};

export const bodyEntries: readonly GrowthEntry[] = [
  {
    name: 'the answer of a webhook with many annotations',
    covers: ['src/admission/webhooks/admission-review.ts#decodeReview'],
    maxBytes: bodyBytes,
    prepare: (bytes) => {
      const auditAnnotations = Object.fromEntries(numbered((i) => `key-${i}`, bytes / 2).map((key) => [key, 'v']));
      const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: 'u', allowed: true, auditAnnotations } };
      return () => decodeReview(review, 'v1');
    },
  },
  ...json('many annotations', (bytes) => JSON.stringify(annotated(bytes))),
  ...json('a long text of digits', (bytes) => JSON.stringify({ data: { a: '1'.repeat(bytes) } })),
  ...json('many texts of digits', (bytes) =>
    JSON.stringify({ data: Object.fromEntries(numbered((i) => `key-${i}`, bytes / 4).map((key) => [key, '1234567890123456'])) }),
  ),
  ...cbor('many annotations', (bytes) => encodeCbor(undefined, annotated(bytes))),
  ...cbor('a text in many chunks', cborOf('a141615f', '4178', 'ff')),
  ...cbor('a list without its length', cborOf('a141619f', '00', 'ff')),
  ...cbor('maps without their lengths', cborOf('a141619f', 'bfff', 'ff')),
  ...cbor('many tags', cborOf('a14161', 'c6', '00')),
  ...cbor('deep lists', cborOf('a14161', '81', '00')),
  ...cbor('one key again and again', cborOf('bf', '417801', 'ff')),
  ...yaml('many annotations', (bytes) => `metadata:\n  annotations:\n${numbered((i) => `    key-${i}: v\n`, bytes).join('')}`),
  overBytes(
    'protobuf of many annotations, as sent',
    'src/schema/protobuf/protobuf.ts#decodeSentProtobuf',
    (bytes) => Buffer.from(encodeProtobuf(ConfigMap, annotated(bytes))),
    (bytes) => decodeSentProtobuf(ConfigMap, bytes),
  ),
  overBytes(
    'protobuf of many annotations',
    'src/schema/protobuf/protobuf.ts#decodeProtobuf',
    (bytes) => Buffer.from(encodeProtobuf(ConfigMap, annotated(bytes))),
    (bytes) => decodeProtobuf(ConfigMap, bytes),
  ),
  overBytes(
    'an envelope around much',
    'src/schema/protobuf/protobuf-envelope.ts#readEnvelope',
    (bytes) => writeEnvelope('v1', 'ConfigMap', Buffer.alloc(bytes)),
    readEnvelope,
  ),
  ...protobufTypes.map(([name, take]) =>
    overBytes(`protobuf of unknown fields: ${name}`, `src/schema/protobuf/protobuf-types.ts#${name}`, unknownFields, (bytes) =>
      take(new ProtobufReader(bytes)),
    ),
  ),
  overBytes(
    'a body of unknown fields',
    'src/verbs/body.ts#decodeBody',
    (bytes) => Buffer.from(`{${numbered((i) => `"unknown${i}":1`, bytes).join(',')}}`),
    (bytes) => decodeRequest(call, { mediaType: 'json', bytes }, configMapKind, 'Warn', inOneTurn()),
  ),
  overBytes(
    'a YAML body of many annotations',
    'src/verbs/body.ts#decodeBody',
    (bytes) => Buffer.from(`metadata:\n  annotations:\n${numbered((i) => `    key-${i}: v\n`, bytes).join('')}`),
    (bytes) => decodeRequest(call, { mediaType: 'yaml', bytes }, configMapKind, 'Strict', inOneTurn()),
  ),
  {
    name: 'managed fields of many managers',
    covers: ['src/patch/apply/managed-fields.ts#decodeManagedFields'],
    maxBytes: bodyBytes,
    prepare: (bytes) => {
      const entries = numbered((i) => `manager-${i}`, bytes / 10).map((manager) => ({
        manager,
        operation: 'Update' as const,
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      }));
      return () => decodeManagedFields(entries);
    },
  },
];

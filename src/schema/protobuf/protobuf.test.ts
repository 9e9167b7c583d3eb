import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseApiVersion } from '#api/names.ts';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { ControllerRevision } from '#kinds/apps/v1/controller-revision.ts';
import { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { Table } from '#kinds/meta/v1/table.ts';
import { optional, int64, list, map, bytes, rootStruct, struct, string, type StructSchema } from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { decodeProtobuf, encodeProtobuf, hasProtobuf } from '#schema/protobuf/protobuf.ts';
import { readEnvelope, readWatchFrames, watchFrame, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { loadAllStructs } from '../../../test/support/all-structs.ts';

interface Recorded {
  answers: { request: string; json: string; protobuf: string }[];
  watch: { json: string; protobuf: string };
}
const recorded = JSON.parse(readFileSync(new URL('../../../test/fixtures/real-protobuf.json', import.meta.url), 'utf8')) as Recorded;

describe('the answers of a real server', () => {
  let schemas: ReadonlyMap<string, StructSchema>;

  beforeAll(async () => {
    schemas = new Map([...(await loadAllStructs()).values()].flatMap((schema) => namesOf(schema).map((name) => [name, schema] as const)));
  });

  it.each(recorded.answers)('read from protobuf are what their JSON says: $request', ({ json, protobuf }) => {
    const { schema, raw } = open(protobuf);
    const { kind: _kind, apiVersion: _apiVersion, ...object } = decodeJson(schema, Buffer.from(json)).object;
    expect(decodeProtobuf(schema, raw)).toEqual(withoutTypesInside(object));
  });

  it.each(recorded.answers)('written as protobuf are the same bytes: $request', ({ json, protobuf }) => {
    const { schema, apiVersion, kind } = open(protobuf);
    const bytes = writeEnvelope(apiVersion, kind, encodeProtobuf(schema, decodeJson(schema, Buffer.from(json)).object));
    expect(bytes.toString('base64')).toBe(protobuf);
  });

  it('cover most kinds', () => {
    expect(recorded.answers.length).toBeGreaterThan(70);
  });

  function open(protobuf: string): { schema: StructSchema; apiVersion: string; kind: string; raw: Buffer } {
    const { apiVersion, kind, raw } = readEnvelope(Buffer.from(protobuf, 'base64'));
    // Some discovery documents say no version, in JSON neither.
    const schema = schemas.get(`${apiVersion === '' ? 'v1' : apiVersion} ${kind}`);
    if (schema === undefined) throw new Error(`no schema for ${apiVersion} ${kind}`);
    return { schema, apiVersion, kind, raw };
  }
});

/** Kinds of meta/v1 belong to every group: their answers say v1. */
function namesOf({ name, options }: StructSchema): string[] {
  if (name.includes('.meta.v1.')) return [`v1 ${name.slice(name.lastIndexOf('.') + 1)}`];
  return (options.gvks ?? []).map(([group, version, kind]) => `${group === '' ? version : `${group}/${version}`} ${kind}`);
}

/** Protobuf has no place for `kind` and `apiVersion` of claims inside a StatefulSet. */
function withoutTypesInside(object: unknown): unknown {
  const dropTypes = ({ kind: _kind, apiVersion: _apiVersion, ...template }: Record<string, unknown>): unknown => template;
  const text = JSON.stringify(object, (key, value: unknown) => (key === 'volumeClaimTemplates' ? (value as Record<string, unknown>[]).map(dropTypes) : value));
  return JSON.parse(text);
}

describe('a watch in protobuf', () => {
  const bytes = Buffer.from(recorded.watch.protobuf, 'base64');
  const events = recorded.watch.json
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; object: Record<string, unknown> });

  it('carries the events that JSON has', () => {
    const { frames, rest } = readWatchFrames(bytes);
    expect(rest).toHaveLength(0);
    expect(frames.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
    const objects = frames.map(({ object }) => decodeProtobuf(ConfigMap, readEnvelope(object).raw));
    expect(objects).toEqual(events.map(({ object: { kind: _kind, apiVersion: _apiVersion, ...object } }) => object));
  });

  it('is written as the same bytes', () => {
    const frames = events.map(({ type, object }) => watchFrame(type, writeEnvelope('v1', 'ConfigMap', encodeProtobuf(ConfigMap, object))));
    expect(Buffer.concat(frames).toString('base64')).toBe(recorded.watch.protobuf);
  });

  it('is read in whatever pieces it comes', () => {
    const { frames, rest } = readWatchFrames(bytes.subarray(0, bytes.length - 1));
    expect(frames.length).toBe(events.length - 1);
    expect(readWatchFrames(Buffer.concat([rest, bytes.subarray(bytes.length - 1)])).frames).toHaveLength(1);
  });
});

describe('decodeProtobuf', () => {
  const Sample = rootStruct('io.example.Sample', () => ({
    text: optional(1, string),
    number: optional(2, int64),
    numbers: optional(3, list(int64)),
    labels: optional(4, map(string)),
    data: optional(5, map(bytes)),
    inner: optional(6, Inner),
  }));
  const Inner: StructSchema = struct('io.example.Inner', () => ({ text: optional(1, string), inner: optional(2, list(Inner)) }));

  it('keeps integers beyond what a number can hold', () => {
    for (const number of [2 ** 53 - 1, -(2 ** 53 - 1), 9223372036854775807n, -9223372036854775808n, 2n ** 53n]) {
      expect(decodeProtobuf(Sample, encodeProtobuf(Sample, { number }))['number']).toBe(number);
    }
  });

  it('passes over fields it does not know, groups included', () => {
    const unknown = Buffer.from([0xc0, 0x3e, 0x01, 0xc3, 0x3e, 0x08, 0x05, 0xc4, 0x3e, 0xca, 0x3e, 0x01, 0x61]);
    expect(decodeProtobuf(Sample, Buffer.concat([unknown, encodeProtobuf(Sample, { text: 'a' })]))).toEqual({ text: 'a', inner: {} });
  });

  it('reads packed numbers', () => {
    expect(decodeProtobuf(Sample, Buffer.from([0x1a, 0x03, 0x01, 0x96, 0x01]))['numbers']).toEqual([1, 150]);
  });

  it('lets the last of two values win, and merges two messages', () => {
    const twice = Buffer.concat([encodeProtobuf(Sample, { text: 'a', inner: { text: 'b' } }), Buffer.from([0x0a, 0x00, 0x32, 0x02, 0x12, 0x00])]);
    expect(decodeProtobuf(Sample, twice)).toEqual({ inner: { text: 'b', inner: [{}] } });
  });

  it('fills in entries of maps that lack their value, and their key', () => {
    expect(decodeProtobuf(Sample, Buffer.from([0x22, 0x03, 0x0a, 0x01, 0x61, 0x2a, 0x00]))).toEqual({ labels: { a: '' }, data: { '': '' }, inner: {} });
  });

  it('takes __proto__ for a key like any other', () => {
    const labels = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const read = decodeProtobuf(Sample, encodeProtobuf(Sample, { labels }))['labels'] as object;
    expect(Object.entries(read)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it.each([
    [[0x0a, 0x05, 0x61], 'unexpected EOF'],
    [[0x0a], 'unexpected EOF'],
    [[0x10, 0x80], 'unexpected EOF'],
    [[0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], 'proto: integer overflow'],
    [[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 'proto: negative length found during unmarshaling'],
    [[0x08, 0x01], 'proto: wrong wireType = 0 for field Text'],
    [[0x00], 'proto: Sample: illegal tag 0 (wire type 0)'],
    [[0x0c], 'proto: Sample: wiretype end group for non-group'],
    [[0x0f], 'proto: wrong wireType = 7 for field Text'],
    [[0xc7, 0x3e], 'proto: illegal wireType 7'],
  ])('refuses %j', (input, message) => {
    expect(() => decodeProtobuf(Sample, Buffer.from(input))).toThrow(message);
  });

  it('refuses messages inside messages without end instead of running out of stack', () => {
    let bytes = Buffer.alloc(0);
    for (let depth = 0; depth < 2000; depth++) bytes = Buffer.concat([Buffer.from([depth === 1999 ? 0x32 : 0x12]), lengthOf(bytes), bytes]);
    expect(() => decodeProtobuf(Sample, bytes)).toThrow('proto: message is nested too deeply');
  });

  it('has the required values even for an empty message', () => {
    expect(decodeProtobuf(Pod, Buffer.alloc(0))).toEqual({ metadata: {}, spec: {}, status: {} });
  });
});

describe('encodeProtobuf', () => {
  it('writes raw JSON with the escapes of Go, as the controllers that compare its bytes would', () => {
    const { object: revision } = decodeJson(ControllerRevision, Buffer.from('{"metadata":{"name":"a"},"data":{"spec":"x \\u003c\\u0026> y"},"revision":1}'));
    expect(encodeProtobuf(ControllerRevision, revision).toString('latin1')).toContain('{"spec":"x \\u003c\\u0026\\u003e y"}');
  });

  it('sorts the keys of maps by their bytes', () => {
    const { raw } = readEnvelope(
      writeEnvelope('v1', 'ConfigMap', encodeProtobuf(ConfigMap, { metadata: {}, data: { '\uffee': '1', '\u{10000}': '2', a: '3' } })),
    );
    const places = ['a', '\uffee', '\u{10000}'].map((key) => raw.toString('utf8').indexOf(key));
    expect(places).toEqual(places.toSorted((x, y) => x - y));
  });

  it('grows with the object', () => {
    const data = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key-${index}`, 'x'.repeat(500)]));
    expect(decodeProtobuf(ConfigMap, encodeProtobuf(ConfigMap, { metadata: {}, data }))['data']).toEqual(data);
  });

  it('is not there for kinds without tags', () => {
    expect(hasProtobuf(Table)).toBe(false);
    expect(hasProtobuf(CustomResourceDefinition)).toBe(true);
    expect(() => encodeProtobuf(Table, {})).toThrow('has no protobuf form');
  });
});

describe('readEnvelope', () => {
  it.each([
    ['', 'empty data'],
    ['{}', 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['k8s\0', 'empty body'],
    ['k8s\0\x0a\x09', 'unexpected EOF'],
  ])('refuses %j', (text, message) => {
    expect(() => readEnvelope(Buffer.from(text))).toThrow(message);
  });

  it('reads what it wrote', () => {
    const envelope = readEnvelope(writeEnvelope('apps/v1', 'Deployment', Buffer.from('abc')));
    expect(envelope).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', raw: Buffer.from('abc'), contentEncoding: '', contentType: '' });
    expect(parseApiVersion(envelope.apiVersion)).toEqual({ group: 'apps', version: 'v1' });
  });
});

function lengthOf(bytes: Buffer): Buffer {
  const groups: number[] = [];
  let rest = bytes.length;
  for (; rest > 0x7f; rest >>>= 7) groups.push((rest & 0x7f) | 0x80);
  return Buffer.from([...groups, rest]);
}

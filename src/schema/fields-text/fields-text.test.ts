import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { clone } from '#schema/clone.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { knownFieldsText } from '#schema/fields-text/fields-text.ts';
import { parseStored } from '#schema/json/parse-json.ts';
import { decodeSentProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';

const set = '{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:name":{}}}}}';
const status = '{"f:status":{"f:phase":{}}}';
const time = '2026-01-02T03:04:05Z';
const entry = (manager: string, fields: string, more = '') =>
  `{"manager":"${manager}","operation":"Update","apiVersion":"v1","time":"${time}","fieldsType":"FieldsV1","fieldsV1":${fields}${more}}`;
const podText = (metadata: string, spec = '{"containers":null}') => `{"kind":"Pod","apiVersion":"v1","metadata":{${metadata}},"spec":${spec},"status":{}}`;
const managed = `"managedFields":[${entry('a', set)},${entry('b', status, ',"subresource":"status"')}]`;
const text = podText(`"name":"p","labels":{"managedFields":"[{"},"annotations":{"x":"\\",\\"managedFields\\":[{"},${managed}`);
const read: Readonly<Record<string, (bytes: Buffer) => ReturnType<typeof parseStored>>> = {
  'a stored object': (bytes) => parseStored(bytes, Pod),
  'a body': (bytes) => decodeJson(Pod, bytes).object,
  'a protobuf body whose sets have come before': (bytes) => {
    const sent = encodeProtobuf(Pod, decodeJson(Pod, bytes).object);
    decodeSentProtobuf(Pod, sent);
    return { kind: 'Pod', apiVersion: 'v1', ...decodeSentProtobuf(Pod, sent) } as unknown as KubernetesObject;
  },
};

describe.each(Object.entries(read))('the field sets of %s', (_, from) => {
  test('are known by their text, and read like any value', () => {
    const entries = from(Buffer.from(text)).metadata.managedFields ?? [];
    expect(entries.map(knownFieldsText)).toEqual([set, status]);
    expect(entries[1]).toEqual(JSON.parse(entry('b', status, ',"subresource":"status"')));
    expect(entries[0]?.fieldsV1).toEqual(JSON.parse(set));
  });

  test('are written as they were', () => {
    expect(encodeJson(Pod, from(Buffer.from(text)))).toBe(text);
  });

  test('survive a copy', () => {
    const copy = clone(from(Buffer.from(text)));
    expect(knownFieldsText(copy.metadata.managedFields?.[0] ?? {})).toBe(set);
    expect(encodeJson(Pod, copy)).toBe(text);
  });

  test('that somebody read or changed are written as they are now', () => {
    const object = from(Buffer.from(text));
    const [first = {}, second = {}] = object.metadata.managedFields ?? [];
    Object.assign(first.fieldsV1 ?? {}, { 'f:data': {} });
    second.fieldsV1 = { 'f:other': {} };
    const [a, b] = JSON.parse(encodeJson(Pod, object)).metadata.managedFields;
    expect(a.fieldsV1).toHaveProperty('f:data');
    expect(b.fieldsV1).toEqual({ 'f:other': {} });
  });

  test.each([
    ['without any', podText('"name":"p"')],
    ['without a set in an entry', podText('"name":"p","managedFields":[{"manager":"m","operation":"Update"}]')],
    ['with a set that is all the entry has', podText('"name":"p","managedFields":[{"fieldsV1":{"f:a":{}}}]')],
    [
      'with metadata elsewhere',
      podText('"name":"p"', `{"containers":null,"volumes":[{"name":"v","ephemeral":{"volumeClaimTemplate":{"metadata":{"name":"t",${managed}},"spec":{}}}}]}`),
    ],
  ])('are as JSON says in an object %s', (_, other) => {
    const { metadata } = from(Buffer.from(other));
    expect(metadata).toEqual({ ...JSON.parse(other).metadata, creationTimestamp: undefined });
  });
});

test('a body that says managedFields twice is read to the last one', () => {
  const { object, problems } = decodeJson(Pod, Buffer.from(podText(`"name":"p",${managed},"managedFields":[${entry('z', status)}]`)));
  expect(object.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['z']);
  expect(problems).toEqual(['duplicate field "metadata.managedFields"']);
});

test('a set in protobuf that is written in another way than ours is its value', () => {
  const [spaced] = [podText(`"name":"p","managedFields":[${entry('a', status)}]`)].map((json) =>
    encodeProtobuf(Pod, decodeJson(Pod, Buffer.from(json)).object),
  );
  const other = Buffer.from(
    Buffer.from(spaced as Uint8Array)
      .toString('latin1')
      .replace('"f:phase":{}', '"f:phas": {}'),
    'latin1',
  );
  for (const _ of ['first', 'again']) {
    const [read = {}] = (decodeSentProtobuf(Pod, other) as unknown as KubernetesObject).metadata.managedFields ?? [];
    expect([knownFieldsText(read), read.fieldsV1]).toEqual([undefined, { 'f:status': { 'f:phas': {} } }]);
  }
});

test('a set in protobuf with what Go escapes in JSON is escaped in ours, however often it came', () => {
  const escaped = podText(`"name":"p","managedFields":[${entry('a', '{"f:a\\u003cb\\u003e":{}}')}]`);
  const sent = encodeProtobuf(Pod, decodeJson(Pod, Buffer.from(escaped)).object);
  const raw = Buffer.from(
    Buffer.from(sent)
      .toString('latin1')
      .replace(/a\\u003cb\\u003e/, 'a<b>_________'),
    'latin1',
  );
  for (const _ of ['first', 'again']) {
    const object = { kind: 'Pod', apiVersion: 'v1', ...decodeSentProtobuf(Pod, raw) } as unknown as KubernetesObject;
    expect(encodeJson(Pod, object)).toMatch(/"f:a\\u003cb\\u003e/);
  }
});

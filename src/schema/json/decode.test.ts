import { describe, expect, test } from 'vitest';
import {
  boolean,
  bytes,
  double,
  duration,
  embedded,
  inline,
  int32,
  int64,
  intOrString,
  list,
  map,
  microTime,
  optional,
  pointer,
  quantity,
  rawExtension,
  required,
  rootStruct,
  string,
  struct,
  type StructSchema,
  time,
} from '#schema/build.ts';
import { DecodeError, decodeBody, decodeJson, decodeValue, readJson, readJsonInTurns } from '#schema/json/decode.ts';
import { JsonSyntaxError } from '#schema/json/json-node.ts';
import { Turn } from '#base/next-turn.ts';

const Source = struct('io.example.v1.Source', () => ({ path: optional(1, string), size: pointer(2, int64) }));
const Part = struct('io.example.v1.Part', () => ({
  name: required(1, string),
  protocol: optional(2, string, { goType: 'v1.Protocol' }),
  ...inline(3, 'source', Source),
}));
const Meta = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', () => ({
  name: optional(1, string),
  labels: optional(2, map(string)),
  creationTimestamp: optional(3, time, { written: 'nonzero' }),
}));
const Spec = struct('io.example.v1.ThingSpec', () => ({
  replicas: pointer(1, int32),
  count: required(2, int32),
  ratio: pointer(3, double),
  parts: optional(4, list(Part)),
  modes: optional(5, list(string), { goType: '[]v1.Mode' }),
  limits: optional(6, map(quantity), { goType: 'v1.ResourceList' }),
  port: optional(7, intOrString),
  paused: optional(8, boolean),
  secret: optional(9, bytes),
  raw: optional(10, rawExtension),
  probed: pointer(11, microTime),
  wait: pointer(12, duration),
  words: required(13, list(string)),
}));
const Thing: StructSchema = rootStruct('io.example.v1.Thing', () => ({ metadata: embedded(1, Meta), spec: embedded(2, Spec) }));

const decode = (text: string) => decodeJson(Thing, Buffer.from(text));
const object = (spec: string) => decode(`{"spec":${spec}}`).object['spec'] as Record<string, unknown>;

describe('canonical objects', () => {
  test('have their required zeros and structs, and nothing empty', () => {
    const text = '{"kind":"Thing","metadata":{"name":"a","labels":{},"creationTimestamp":null},"spec":{"replicas":0,"parts":[],"paused":false,"secret":""}}';
    expect(decode(text).object).toEqual({ kind: 'Thing', metadata: { name: 'a' }, spec: { replicas: 0, count: 0, port: 0 } });
  });

  test('null is unset, wherever it stands', () => {
    expect(object('null')).toEqual({ count: 0, port: 0 });
    expect(object('{"replicas":null,"count":null,"parts":[null,{"name":null}],"limits":{"cpu":null},"words":null}')).toEqual({
      count: 0,
      port: 0,
      parts: [{ name: '' }, { name: '' }],
      limits: { cpu: '0' },
    });
  });

  test('have scalars in their one spelling', () => {
    expect(object('{"limits":{"cpu":"1000m","memory":1024},"probed":"2020-01-01T02:00:00.000001+02:00","wait":"90s","secret":"YR=="}')).toMatchObject({
      limits: { cpu: '1', memory: '1024' },
      probed: '2020-01-01T00:00:00.000001Z',
      wait: '1m30s',
      secret: 'YQ==',
    });
  });

  test('hold 64-bit integers exactly', () => {
    expect(object('{"parts":[{"name":"a","size":9223372036854775807}]}')['parts']).toEqual([{ name: 'a', size: 9223372036854775807n }]);
  });

  test('bytes may come as a list of numbers', () => {
    expect(object('{"secret":[97,98]}')['secret']).toBe('YWI=');
  });

  test('keep raw JSON as it is', () => {
    expect(object('{"raw":{"b":null,"a":[1.5,{}],"__proto__":{}}}')['raw']).toEqual(JSON.parse('{"b":null,"a":[1.5,{}],"__proto__":{}}'));
  });

  test('a repeated key is merged into what its first occurrence left', () => {
    const { object, problems } = decode('{"metadata":{"name":"a","labels":{"x":"1"}},"metadata":{"labels":{"y":"2"}}}');
    expect(object.metadata).toEqual({ name: 'a', labels: { x: '1', y: '2' } });
    expect(problems).toEqual(['duplicate field "metadata"']);
  });
});

describe('strict findings', () => {
  test('come in the order of the text, each once', () => {
    const text = '{"metadata":{"aa":1,"name":"x"},"cc":3,"spec":{"parts":[{"name":"a","Name":"b","nope":{"deep":1}}],"count":1,"count":2},"cc":4}';
    expect(decode(text).problems).toEqual([
      'unknown field "metadata.aa"',
      'unknown field "cc"',
      'unknown field "spec.parts[0].Name"',
      'unknown field "spec.parts[0].nope"',
      'duplicate field "spec.count"',
    ]);
  });

  test('are at most a hundred', () => {
    const members = Array.from({ length: 150 }, (_, index) => `"u${index}":1`);
    expect(decode(`{${members.join(',')}}`).problems).toHaveLength(100);
  });

  test('unknown fields are dropped, however deep', () => {
    const { object, problems } = decode(`{"x":${'['.repeat(9999)}${']'.repeat(9999)}}`);
    expect(object['x']).toBeUndefined();
    expect(problems).toEqual(['unknown field "x"']);
  });

  test('values that were parsed elsewhere bring their duplicates along', () => {
    expect(decodeValue(Thing, { nope: 1 }, ['spec.a']).problems).toEqual(['duplicate field "spec.a"', 'unknown field "nope"']);
  });

  test('raw values deeper than walkers can go are refused', () => {
    expect(() => decode(`{"spec":{"raw":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}}`)).toThrow(new DecodeError('exceeded max depth'));
  });
});

describe('wrong types', () => {
  const json = 'json: cannot unmarshal';
  test.each([
    ['[]', `${json} array into Go value of type v1.Thing`],
    ['{"spec":5}', `${json} number into Go struct field Thing.spec of type v1.ThingSpec`],
    ['{"kind":5}', `${json} number into Go struct field Thing.TypeMeta.kind of type string`],
    ['{"metadata":{"labels":"x"}}', `${json} string into Go struct field ObjectMeta.metadata.labels of type map[string]string`],
    ['{"metadata":{"labels":{"a":true}}}', `${json} bool into Go struct field ObjectMeta.metadata.labels of type string`],
    ['{"spec":{"count":1.0}}', `${json} number 1.0 into Go struct field ThingSpec.spec.count of type int32`],
    ['{"spec":{"count":1e2}}', `${json} number 1e2 into Go struct field ThingSpec.spec.count of type int32`],
    ['{"spec":{"count":2147483648}}', `${json} number 2147483648 into Go struct field ThingSpec.spec.count of type int32`],
    ['{"spec":{"parts":{}}}', `${json} object into Go struct field ThingSpec.spec.parts of type []v1.Part`],
    ['{"spec":{"parts":["x"]}}', `${json} string into Go struct field ThingSpec.spec.parts of type v1.Part`],
    ['{"spec":{"parts":[{"protocol":1}]}}', `${json} number into Go struct field Part.spec.parts.protocol of type v1.Protocol`],
    ['{"spec":{"parts":[{"path":1}]}}', `${json} number into Go struct field Part.spec.parts.Source.path of type string`],
    ['{"spec":{"modes":"x"}}', `${json} string into Go struct field ThingSpec.spec.modes of type []v1.Mode`],
    ['{"spec":{"modes":[1]}}', `${json} number into Go struct field ThingSpec.spec.modes of type v1.Mode`],
    ['{"spec":{"limits":[]}}', `${json} array into Go struct field ThingSpec.spec.limits of type v1.ResourceList`],
    ['{"spec":{"port":1.5}}', `${json} number 1.5 into Go struct field ThingSpec.spec.port of type int32`],
    ['{"spec":{"probed":5}}', `${json} number into Go struct field ThingSpec.spec.probed of type string`],
    ['{"spec":{"secret":{}}}', `${json} object into Go struct field ThingSpec.spec.secret of type []uint8`],
    ['{"spec":{"secret":"?"}}', 'illegal base64 data at input byte 0'],
    ['{"spec":{"limits":{"cpu":{}}}}', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['{"spec":{"limits":{"cpu":"5x"}}}', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['{"spec":{"wait":"5"}}', 'time: missing unit in duration "5"'],
  ])('%s', (text, message) => {
    expect(() => decode(text)).toThrow(new DecodeError(message));
  });

  test('the first one is told, unless a type that reads itself gives up later', () => {
    expect(() => decode('{"spec":{"count":"a","replicas":"b"}}')).toThrow('ThingSpec.spec.count');
    expect(() => decode('{"spec":{"count":"a","limits":{"cpu":"x"}}}')).toThrow('quantities must match');
  });

  test('they win over strict findings', () => {
    expect(() => decode('{"nope":1,"spec":{"count":"a"}}')).toThrow('ThingSpec.spec.count');
  });
});

test('a body can be looked at before it is decoded', () => {
  const body = readJson(Buffer.from('{"kind":"Thing","spec":{"count":3}}'));
  expect((body.value as { kind: string }).kind).toBe('Thing');
  expect(decodeBody(Thing, body).object).toEqual({ kind: 'Thing', metadata: {}, spec: { count: 3, port: 0 } });
});

test('decoding a value leaves the value alone', () => {
  const value = { spec: { limits: { cpu: '1000m' }, parts: [] } };
  decodeValue(Thing, value);
  expect(value).toEqual({ spec: { limits: { cpu: '1000m' }, parts: [] } });
});

describe('custom resources', () => {
  const Custom: StructSchema = {
    is: 'struct',
    name: '',
    options: { root: true },
    fields: { metadata: { tag: 0, schema: Meta, presence: 'pointer', rules: {} }, spec: { tag: 0, schema: { is: 'json' }, presence: 'pointer', rules: {} } },
  };

  test('keep their values as they are, without what their schema does not declare; metadata is checked', () => {
    const { object, problems } = decodeJson(Custom, Buffer.from('{"metadata":{"name":"a","labels":{},"what":1},"spec":{"x":0,"y":"","x":null},"other":[]}'));
    expect(object).toEqual({ metadata: { name: 'a' }, spec: { x: null, y: '' } });
    expect(problems).toEqual(['duplicate field "spec.x"', 'unknown field "metadata.what"', 'unknown field "other"']);
  });

  test('wrong types in metadata are told from there', () => {
    expect(() => decodeJson(Custom, Buffer.from('{"metadata":{"name":true}}'))).toThrow(
      'json: cannot unmarshal bool into Go struct field ObjectMeta.name of type string',
    );
  });
});

test('a large text is parsed in a turn of its own after the look at how much stands in it, a small one at once', async () => {
  const large = Buffer.from(JSON.stringify({ data: { a: 'x'.repeat(300_000) } }));
  const reading = readJsonInTurns(large, new Turn(0));
  expect(reading).toBeInstanceOf(Promise);
  expect((await reading).value).toEqual(readJson(large).value);
  await expect(readJsonInTurns(large.subarray(1), new Turn(0))).rejects.toThrow(JsonSyntaxError);
  expect(readJsonInTurns(Buffer.from('{"a":1}'), new Turn(0))).toMatchObject({ value: { a: 1 } });
});

// Objects as clients send them, for fast-check: zero values, empty lists, nulls and odd spellings included.
// (sample-object.ts makes canonical ones.)
import fc from 'fast-check';
import type { KubernetesObject } from '#api/object.ts';
import type { AnyField, AnySchema, ScalarSchema, StructSchema } from '#schema/build.ts';

type Draw = fc.GeneratorValue;

export function arbitraryObject(schema: StructSchema): fc.Arbitrary<KubernetesObject> {
  return fc.gen().map((draw) => withTypeMeta(schema, struct(schema, draw, 0)) as KubernetesObject);
}

const deepest = 8;
const fieldsPerStruct = 6;

function withTypeMeta(schema: StructSchema, object: Record<string, unknown>): Record<string, unknown> {
  const [group, version, kind] = schema.options.gvks?.[0] ?? ['', 'v1', schema.name.split('.').at(-1) ?? ''];
  return { kind, apiVersion: group === '' ? version : `${group}/${version}`, ...object };
}

function struct(schema: StructSchema, draw: Draw, depth: number): Record<string, unknown> {
  const names = Object.keys(schema.fields);
  const count = depth >= deepest ? 1 : fieldsPerStruct;
  const chosen = draw(fc.shuffledSubarray, names, { minLength: Math.min(2, count, names.length), maxLength: Math.min(count, names.length) });
  const result: Record<string, unknown> = {};
  for (const name of chosen) {
    const field = schema.fields[name] as AnyField;
    if (depth < deepest || !isNested(field.schema)) result[name] = isNull(field, draw) ? null : member(field, draw, depth + 1);
  }
  return result;
}

/** Pointers to the zero time are written as null, which is read as nothing: src/schema/zero-times.test.ts looks at them. */
function member({ schema, presence }: AnyField, draw: Draw, depth: number): unknown {
  const drawn = value(schema, draw, depth);
  return presence === 'pointer' && drawn === zeroTime ? '1970-01-01T00:00:00Z' : drawn;
}

/** A boolean that is required to be one of two schemas is the one thing that cannot be null. */
function isNull({ schema }: AnyField, draw: Draw): boolean {
  return schema.is !== 'schemaOrBool' && draw(fc.nat, 9) === 0;
}

function isNested(schema: AnySchema): boolean {
  return schema.is === 'struct' || schema.is === 'list' || schema.is === 'map' || schema.is.startsWith('schemaOr');
}

function value(schema: AnySchema, draw: Draw, depth: number): unknown {
  switch (schema.is) {
    case 'struct':
      return struct(schema, draw, depth);
    case 'list':
      return Array.from({ length: draw(fc.nat, 2) }, () => value(schema.item, draw, depth));
    case 'map':
      return Object.fromEntries(draw(() => keys).map((key) => [key, value(schema.value, draw, depth)]));
    default:
      return scalar(schema, draw, depth);
  }
}

const zeroTime = '0001-01-01T00:00:00Z';
const keys = fc.uniqueArray(fc.constantFrom('a', 'b', 'app.kubernetes.io/name', '10', 'constructor', 'Ω', 'a<b'), { maxLength: 3 });
const text = fc.oneof(fc.constantFrom('', 'a', 'web-1', '<&>\u2028', 'naïve ☃ 😀', 'line\nbreak "quoted"'), fc.string({ maxLength: 8 }));
const quantities = fc.constantFrom('0', '1', '+1', '100m', '1500m', '64Mi', '1Gi', '1.5Gi', '1e3', '1024Ki', '0.5', '123456789', '-5', '1000k', '5n', '5.');
const times = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`);
const zonedTimes = times.map((time) => time.replace('Z', '+02:00'));
const microTimes = fc.tuple(times, fc.nat(999_999)).map(([time, micros]) => `${time.slice(0, 19)}.${String(micros).padStart(6, '0')}Z`);
const bytes = fc.uint8Array({ maxLength: 6 }).map((array) => Buffer.from(array).toString('base64'));
const integers = fc.oneof(fc.integer(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(asDecoded), fc.constantFrom(0, 1));
/** Doubles beyond 2^53 would come back as bigints. */
const jsonValues = fc
  .jsonValue({ maxDepth: 2 })
  .map((json) => JSON.parse(JSON.stringify(json), (_, value: unknown) => (isLarge(value) ? 0 : value)) as unknown);
const jsonObjects = fc.dictionary(fc.constantFrom('a', 'b', 'f:spec', '.'), jsonValues, { maxKeys: 3 }).map((object) => ({ ...object }));

function isLarge(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** Beyond 2^53 a bigint. */
function asDecoded(integer: bigint): number | bigint {
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer;
}

const scalars: Readonly<Record<ScalarSchema['is'], fc.Arbitrary<unknown>>> = {
  string: text,
  boolean: fc.boolean(),
  int32: fc.oneof(fc.integer(), fc.constantFrom(0, 1, 80)),
  int64: integers,
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  bytes,
  quantity: quantities,
  intOrString: fc.oneof(fc.integer(), fc.constantFrom('http', '25%')),
  time: fc.oneof(times, zonedTimes, fc.constant(zeroTime)),
  microTime: microTimes,
  duration: fc.constantFrom('0s', '1h30m', '1.5s', '300ms'),
  rawExtension: jsonObjects,
  fieldsV1: jsonObjects,
  json: jsonValues.filter((json) => json !== null),
  schemaOrArray: fc.constant(undefined),
  schemaOrBool: fc.boolean(),
  schemaOrStringArray: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 2 }),
};

function scalar(schema: ScalarSchema, draw: Draw, depth: number): unknown {
  if (schema.is === 'schemaOrArray') return struct(schema.of?.() as StructSchema, draw, depth + 2);
  return draw(() => scalars[schema.is]);
}

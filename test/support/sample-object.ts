// Objects of any schema in canonical form, for property tests: every field set, or each with some probability.
import type { AnyField, AnySchema, ScalarSchema, StructSchema } from '#schema/build.ts';
import { canonical } from '#schema/json/canonical.ts';

export interface Generator {
  readonly random: () => number;
  /** How likely a field is set. Default: 1. */
  readonly density?: number;
  /** Structs inside themselves end here. Default: 3. */
  readonly recursion?: number;
}

/** The object without `kind` and `apiVersion`, which only the caller knows. */
export function generateObject(schema: StructSchema, generator: Generator): Record<string, unknown> {
  return canonical(schema, generateRaw(schema, generator)) as Record<string, unknown>;
}

/** As a client might write it: zero values where nothing would do. */
export function generateRaw(schema: StructSchema, generator: Generator): Record<string, unknown> {
  return structOf(schema, generator, []);
}

function structOf(schema: StructSchema, generator: Generator, within: readonly StructSchema[]): Record<string, unknown> {
  const path = [...within, schema];
  const object: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.fields)) {
    if (generator.random() >= (generator.density ?? 1) || endsHere(field, generator, path)) continue;
    const value = valueOf(field.schema, generator, path, field.rules.enum);
    if (value !== undefined) object[name] = value;
  }
  return object;
}

function endsHere({ schema }: AnyField, { recursion = 3 }: Generator, path: readonly StructSchema[]): boolean {
  const inner = structsIn(schema);
  return inner !== undefined && path.filter((struct) => struct === inner).length >= recursion;
}

function structsIn(schema: AnySchema): StructSchema | undefined {
  if (schema.is === 'struct') return schema;
  if (schema.is === 'list') return structsIn(schema.item);
  return schema.is === 'map' ? structsIn(schema.value) : schema.of?.();
}

function valueOf(schema: AnySchema, generator: Generator, path: readonly StructSchema[], allowed?: readonly string[]): unknown {
  if (schema.is === 'struct') return structOf(schema, generator, path);
  if (schema.is === 'list') return times(1 + pick(generator, 2), () => valueOf(schema.item, generator, path, allowed));
  if (schema.is === 'map') {
    return Object.fromEntries(times(1 + pick(generator, 3), () => [textOf(generator), valueOf(schema.value, generator, path, allowed)]));
  }
  if (schema.is === 'string' && allowed !== undefined) return allowed[pick(generator, allowed.length)];
  return scalars[schema.is](generator, path, schema);
}

type MakeScalar = (generator: Generator, path: readonly StructSchema[], schema: ScalarSchema) => unknown;

const scalars: Readonly<Record<ScalarSchema['is'], MakeScalar>> = {
  string: textOf,
  boolean: ({ random }) => random() < 0.5,
  int32: (generator) => oneOf(generator, [0, 1, -1, 127, 128, 2147483647, -2147483648, 30000]),
  int64: (generator) => oneOf(generator, [0, 1, -1, 4294967296, -4294967297, 9007199254740991, 9223372036854775807n, -9223372036854775808n]),
  double: (generator) => oneOf(generator, [0, 1.5, -2.25, 1e300, 12345678]),
  bytes: (generator) => Buffer.from(textOf(generator)).toString('base64'),
  quantity: (generator) => oneOf(generator, ['0', '1', '100m', '1Gi', '2500Mi', '1e3', '5k']),
  intOrString: (generator) => oneOf<unknown>(generator, [0, 80, -5, 'http', '', '25%']),
  time: (generator) =>
    oneOf(generator, ['2024-02-29T12:30:45Z', '1970-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z', '0099-01-01T00:00:00Z']),
  microTime: (generator) => oneOf(generator, ['2024-02-29T12:30:45.123456Z', '1970-01-01T00:00:00.000001Z', '1969-12-31T23:59:59.999999Z']),
  duration: (generator) => oneOf(generator, ['0s', '1m30s', '1.5s', '-2h0m0s', '300ms']),
  rawExtension: (generator) => ({ kind: textOf(generator), nested: { list: [1, 'two', null, { three: 3.5 }] }, big: 9007199254740993n }),
  fieldsV1: (generator) => ({ 'f:metadata': { 'f:name': {}, [`k:{"name":"${textOf(generator)}"}`]: { '.': {} } } }),
  json: (generator) => oneOf<unknown>(generator, ['text', 42, true, [1, [2]], { a: { b: null } }]),
  schemaOrArray: unionOf,
  schemaOrBool: unionOf,
  schemaOrStringArray: unionOf,
};

function unionOf(generator: Generator, path: readonly StructSchema[], { is, of }: ScalarSchema): unknown {
  if (of === undefined) return undefined;
  if (is === 'schemaOrBool' && generator.random() < 0.5) return generator.random() < 0.5;
  if (is === 'schemaOrStringArray' && generator.random() < 0.5) return ['a', textOf(generator)];
  if (is === 'schemaOrArray' && generator.random() < 0.5) return times(2, () => structOf(of(), generator, path));
  return structOf(of(), generator, path);
}

const texts = [
  'a',
  'web',
  'a-rather-long-name.example.com/with/slashes',
  'Ünïcödé',
  '𝒳',
  '\uffee',
  '__proto__',
  'constructor',
  'x<y>&z',
  'tab\tnew\nline "quoted" \\',
];

function textOf(generator: Generator): string {
  const text = oneOf(generator, texts);
  return generator.random() < 0.5 ? text : `${text}${pick(generator, 1000)}`;
}

function oneOf<T>(generator: Generator, values: readonly T[]): T {
  return values[pick(generator, values.length)] as T;
}

function pick({ random }: Generator, below: number): number {
  return Math.floor(random() * below);
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

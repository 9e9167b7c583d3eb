import { describe, expect, it } from 'vitest';
import { boolean, bytes, embedded, int32, list, map, optional, pointer, quantity, ref, required, rootStruct, string, struct } from '#schema/build.ts';
import { customDefinition } from '#schema/structural/openapi-custom.ts';
import { type Dialect, openApiDefinition } from '#schema/openapi.ts';

const Part = struct('io.example.v1.Part', () => ({ name: required(1, string), size: pointer(2, quantity) }), { atomic: true });
const Thing = rootStruct(
  'io.example.v1.Thing',
  () => ({
    spec: embedded(1, ref(Part)),
    count: required(2, int32),
    mode: optional(3, string, { default: 'Fast', enum: ['Slow', 'Fast'] }),
    flag: optional(4, boolean),
    parts: required(5, list(ref(Part)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
    labels: optional(6, map(string), { atomic: false }),
    data: optional(7, map(bytes)),
    old: pointer(8, ref(Part)),
  }),
  {
    gvks: [
      ['a', 'v1', 'Thing'],
      ['b', 'v1', 'Thing'],
    ],
  },
);

function dialect(version: 2 | 3, more: Partial<Dialect> = {}): Dialect {
  return { version, descriptions: { '': { kind: 'The kind.' }, 'io.example.v1.Thing': { '': 'A thing.', old: 'Before.' } }, refersTo: () => {}, ...more };
}

interface Published {
  readonly properties: Record<string, unknown>;
}

function properties(version: 2 | 3): Record<string, unknown> {
  return (openApiDefinition(Thing, dialect(version)) as unknown as Published).properties;
}

describe('openApiDefinition', () => {
  it('lists what is required in the order of the table, and properties by name', () => {
    const definition = openApiDefinition(Thing, dialect(3));
    expect([definition['description'], definition['required']]).toEqual(['A thing.', ['count', 'parts']]);
    expect(Object.keys(properties(3))).toEqual(['apiVersion', 'count', 'data', 'flag', 'kind', 'labels', 'mode', 'old', 'parts', 'spec']);
    expect(properties(3)['kind']).toEqual({ description: 'The kind.', type: 'string' });
  });

  it('publishes the zero of values that are always there, and the defaults of the table', () => {
    expect(properties(3)).toMatchObject({
      count: { type: 'integer', format: 'int32', default: 0 },
      mode: { type: 'string', default: 'Fast', enum: ['Fast', 'Slow'] },
      flag: { type: 'boolean' },
      labels: { additionalProperties: { type: 'string', default: '' }, 'x-kubernetes-map-type': 'granular' },
      data: { additionalProperties: { type: 'string', format: 'byte' } },
    });
    expect(properties(3)['flag']).not.toHaveProperty('default');
  });

  it('moves a reference into allOf when something stands beside it', () => {
    const $ref = '#/components/schemas/io.example.v1.Part';
    expect(properties(3)['spec']).toEqual({ default: {}, allOf: [{ $ref }] });
    expect(properties(3)['old']).toEqual({ description: 'Before.', allOf: [{ $ref }] });
    expect(openApiDefinition(Part, dialect(3))).toMatchObject({ 'x-kubernetes-map-type': 'atomic' });
  });

  it('says how lists merge', () => {
    expect(properties(3)['parts']).toEqual({
      type: 'array',
      items: { default: {}, allOf: [{ $ref: '#/components/schemas/io.example.v1.Part' }] },
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
  });

  it('has no defaults and no allOf in Swagger', () => {
    expect(properties(2)['old']).toEqual({ description: 'Before.', $ref: '#/definitions/io.example.v1.Part' });
    expect(JSON.stringify(openApiDefinition(Thing, dialect(2)))).not.toMatch(/default|allOf/);
    expect(openApiDefinition(quantity, dialect(2))).toEqual({ type: 'string' });
    expect(openApiDefinition(quantity, dialect(3))).toEqual({ oneOf: [{ type: 'string' }, { type: 'number' }] });
  });

  it('tells what it refers to, and shows only the wanted kinds of several', () => {
    const names: unknown[] = [];
    const definition = openApiDefinition(
      Thing,
      dialect(3, { refersTo: (schema) => names.push('name' in schema && schema.name), shows: ([group]) => group === 'b' }),
    );
    expect(new Set(names)).toEqual(new Set(['io.example.v1.Part']));
    expect(definition['x-kubernetes-group-version-kind']).toEqual([{ group: 'b', kind: 'Thing', version: 'v1' }]);
  });
});

describe('customDefinition', () => {
  const texts = { common: { apiVersion: 'Version.', kind: 'Kind.', metadata: 'Meta.' }, metadata: '#/x/ObjectMeta' };
  const publish = (source: Record<string, unknown>, version: 2 | 3) =>
    customDefinition(
      rootStruct('', () => ({}), { source }),
      version,
      texts,
    );
  const spec = (schema: Record<string, unknown>, version: 2 | 3) =>
    (publish({ type: 'object', properties: { spec: schema } }, version) as unknown as Published).properties['spec'];

  it('adds what every object has', () => {
    expect(publish({ type: 'object' }, 3)).toEqual({
      type: 'object',
      properties: {
        apiVersion: { description: 'Version.', type: 'string' },
        kind: { description: 'Kind.', type: 'string' },
        metadata: { description: 'Meta.', allOf: [{ $ref: '#/x/ObjectMeta' }] },
      },
    });
  });

  it('leaves the schema as written in OpenAPI 3', () => {
    const schema = { type: 'string', nullable: true, default: 'x', anyOf: [{ pattern: 'a' }], 'x-kubernetes-validations': [{ rule: 'true' }] };
    expect(spec(schema, 3)).toEqual(schema);
    expect(spec({ 'x-kubernetes-int-or-string': true }, 3)).toEqual({ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] });
  });

  it.each([
    ['unions and defaults', { type: 'string', default: 'x', anyOf: [{}], oneOf: [{}], allOf: [{}], not: {} }, { type: 'string' }],
    ['what may be null', { type: 'array', nullable: true, items: { type: 'string' } }, {}],
    [
      'the structure of what may hold anything',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} } },
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'that a property which may be null is required',
      { type: 'object', required: ['a', 'b'], properties: { a: { nullable: true }, b: {} } },
      { type: 'object', required: ['b'], properties: { a: {}, b: {} } },
    ],
  ])('leaves out %s in Swagger', (_what, written, published) => {
    expect(spec(written, 2)).toEqual(published);
  });

  it('says nothing about the fields of a root that may hold anything, in Swagger', () => {
    const source = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } };
    expect(publish(source, 2)).toEqual({ type: 'object' });
    expect(publish(source, 3)).toMatchObject({ properties: { a: { type: 'string' } } });
  });

  it('makes embedded objects whole', () => {
    expect(spec({ type: 'object', 'x-kubernetes-embedded-resource': true }, 3)).toMatchObject({
      required: ['kind', 'apiVersion'],
      properties: { kind: {}, metadata: {} },
    });
  });

  it('writes a compiled schema out again when its source is not at hand', () => {
    const schema = rootStruct('', () => ({ size: required(1, { ...int32, rules: { minimum: 1 } }), tags: optional(2, list(string), { merge: 'set' }) }));
    expect(customDefinition(schema, 3, texts)).toMatchObject({
      required: ['size'],
      properties: { size: { type: 'integer', minimum: 1 }, tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } },
    });
  });
});

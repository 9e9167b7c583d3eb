// A custom schema is the same thing to every walker as the table of a built-in kind.
import { describe, expect, it } from 'vitest';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { Deployment } from '#kinds/apps/v1/deployment.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import type { ListSchema, MapSchema, StructSchema } from '#schema/build.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { applyDefaults, noDefaults } from '#schema/defaults.ts';
import { forEachEmbedded } from '#schema/structural/embedded-resources.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { type OpenApiSource, schemaFromOpenApi } from '#schema/structural/from-openapi.ts';
import { prune } from '#schema/structural/prune.ts';

const text = { type: 'string' };

function custom(spec: OpenApiSource): StructSchema {
  return schemaFromOpenApi(
    { type: 'object', properties: { spec: { type: 'object', properties: spec }, status: { type: 'object', properties: { n: { type: 'integer' } } } } },
    ObjectMeta,
  );
}

function specOf(schema: StructSchema): StructSchema {
  return schema.fields['spec']?.schema as StructSchema;
}

describe('schemaFromOpenApi', () => {
  it('gives every object its metadata, and every field no tag', () => {
    const schema = custom({ a: text });
    expect(schema.options.root).toBe(true);
    expect(schema.fields['metadata']?.schema).toBe(ObjectMeta);
    expect(specOf(schema).fields['a']).toEqual({ tag: 0, schema: { is: 'string', rules: {} }, presence: 'pointer', rules: {} });
  });

  it('keeps how lists and maps are merged, wherever they stand', () => {
    const keyed = { type: 'array', items: { type: 'object', properties: { k: text } }, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };
    const { fields } = specOf(
      custom({
        list: keyed,
        inMap: { type: 'object', additionalProperties: keyed },
        one: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
      }),
    );
    expect(fields['list']?.rules).toEqual({ merge: { keys: ['k'] } });
    const inMap = fields['inMap']?.schema as MapSchema | undefined;
    expect((inMap?.value as ListSchema | undefined)?.merge).toEqual({ keys: ['k'] });
    expect(fields['one']?.rules).toEqual({ atomic: true });
    expect((fields['one']?.schema as MapSchema | undefined)?.atomic).toBe(true);
  });

  it('keeps what rules and junctors say', () => {
    const validations = [{ rule: 'self > 1' }];
    const { fields } = specOf(
      custom({
        n: { type: 'integer', minimum: 2, default: 3, nullable: true, enum: [2, 3], anyOf: [{ maximum: 9 }], 'x-kubernetes-validations': validations },
      }),
    );
    expect(fields['n']?.schema).toEqual({
      is: 'int64',
      rules: { minimum: 2, default: 3, nullable: true, enum: [2, 3], junctors: { anyOf: [{ maximum: 9 }] }, validations },
    });
  });

  it('does not compile what nobody looks at', () => {
    const trap = Object.defineProperty({}, 'type', { get: () => expect.unreachable() });
    expect(schemaFromOpenApi({ type: 'object', properties: { spec: trap } }, ObjectMeta).is).toBe('struct');
  });
});

describe('the walkers', () => {
  const schema = custom({ a: text, list: { type: 'array', items: { type: 'object', properties: { k: { type: 'string', default: 'd' } } } } });

  it('decode and encode a custom object', () => {
    const bytes = Buffer.from(
      '{"kind":"Widget","apiVersion":"x/v1","metadata":{"name":"a","labels":{"b":"1","a":"2"}},"spec":{"list":[{"k":"x"}],"a":"1"},"status":{"n":9223372036854775807}}',
    );
    const { object, problems } = decodeJson(schema, bytes);
    expect(problems).toEqual([]);
    expect(encodeJson(schema, object)).toBe(
      '{"apiVersion":"x/v1","kind":"Widget","metadata":{"name":"a","labels":{"a":"2","b":"1"}},"spec":{"a":"1","list":[{"k":"x"}]},"status":{"n":9223372036854775807}}',
    );
  });

  it('fill in defaults', () => {
    const object = { spec: { list: [{}, { k: null }], a: null } };
    applyDefaults({ schema, defaults: noDefaults }, object);
    expect(object).toEqual({ spec: { list: [{ k: 'd' }, { k: 'd' }] } });
  });
});

describe('prune', () => {
  it('drops what a custom schema does not know and says where', () => {
    const schema = custom({
      a: text,
      list: { type: 'array', items: { type: 'object', properties: { k: text } } },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { k: text } } },
    });
    const given = { kind: 'W', metadata: { name: 'x', other: 1 }, extra: 1, spec: { a: 'x', b: 1, list: [{ k: 'x', z: 1 }], map: { m: { y: 1 } } } };
    const { value, dropped } = prune(schema, given);
    expect(dropped).toEqual(['extra', 'spec.b', 'spec.list[0].z', 'spec.map.m.y']);
    expect(value).toEqual({ kind: 'W', metadata: { name: 'x', other: 1 }, spec: { a: 'x', list: [{ k: 'x' }], map: { m: {} } } });
    expect(given.spec.b).toBe(1);
  });

  it('keeps unknown fields where the schema says so, but not below what it knows', () => {
    const schema = custom({
      open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'object', properties: { a: text } } } },
    });
    const { value, dropped } = prune(schema, { spec: { open: { any: { b: [1] }, known: { a: 'x', c: 1 } } } });
    expect(dropped).toEqual(['spec.open.known.c']);
    expect(value).toEqual({ spec: { open: { any: { b: [1] }, known: { a: 'x' } } } });
  });

  it('leaves the kind, version and metadata of embedded objects', () => {
    const schema = custom({
      inner: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object', properties: { a: text } } } },
    });
    const object = { spec: { inner: { kind: 'Pod', apiVersion: 'v1', metadata: { x: 1 }, spec: { a: '1', b: 2 }, status: {} } } };
    expect(prune(schema, object).dropped).toEqual(['spec.inner.spec.b', 'spec.inner.status']);
  });

  it('returns the object itself when there is nothing to drop', () => {
    const object = { metadata: {}, spec: { a: 'x' } };
    expect(prune(custom({ a: text }), object).value).toBe(object);
  });

  it('works for built-in kinds as well', () => {
    expect(prune(ConfigMap, { metadata: { name: 'x', nope: 1 }, data: { a: 'b' }, other: 1 }).dropped).toEqual(['metadata.nope', 'other']);
    const deployment = { metadata: {}, spec: { template: { spec: { containers: [{ name: 'a', imag: 'x' }] } } } };
    expect(prune(Deployment, deployment).dropped).toEqual(['spec.template.spec.containers[0].imag']);
  });

  it('takes __proto__ for a member like any other', () => {
    const { value, dropped } = prune(custom({ a: text }), JSON.parse('{"spec":{"__proto__":{"a":1},"a":"x"}}'));
    expect(dropped).toEqual(['spec.__proto__']);
    expect(value).toEqual({ spec: { a: 'x' } });
  });
});

describe('forEachEmbedded', () => {
  it('finds whole objects in lists and maps', () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };
    const schema = custom({ list: { type: 'array', items: embedded }, map: { type: 'object', additionalProperties: embedded } });
    const found: string[] = [];
    forEachEmbedded(schema, { spec: { list: [{ kind: 'A' }], map: { m: { kind: 'B' } } } }, (path, object) => found.push(`${path} ${String(object['kind'])}`));
    expect(found).toEqual(['spec.list[0] A', 'spec.map[m] B']);
  });
});

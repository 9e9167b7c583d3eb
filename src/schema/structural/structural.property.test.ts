// What holds for every custom schema and every object of it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { Deployment } from '#kinds/apps/v1/deployment.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { jsonForm } from '#resource/json-form.ts';
import type { StructSchema } from '#schema/build.ts';
import { clone } from '#schema/clone.ts';
import { applyDefaults, noDefaults } from '#schema/defaults.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { customDefinition } from '#schema/structural/openapi-custom.ts';
import { type OpenApiSource, schemaFromOpenApi } from '#schema/structural/from-openapi.ts';
import { prune } from '#schema/structural/prune.ts';
import { validateStructural } from '#schema/structural/validate.ts';

/** Keys that objects and schemas share by chance, and some that trip over prototypes. */
const key = fc.constantFrom('a', 'b', 'c', 'list', 'spec', '__proto__', 'constructor', 'metadata');

/** A schema and values that fit it more or less. */
const { schema } = fc.letrec<{ schema: OpenApiSource }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type: fc.constant('string'), default: fc.string() }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('integer'), default: fc.integer(), nullable: fc.boolean() }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({ type: fc.constant('object'), additionalProperties: tie('schema') }),
    fc.record(
      { type: fc.constant('object'), properties: fc.dictionary(key, tie('schema')), 'x-kubernetes-preserve-unknown-fields': fc.constant(true) },
      { requiredKeys: ['type', 'properties'] },
    ),
  ),
}));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.string(), fc.integer(), fc.constant(null), fc.array(tie('value')), fc.dictionary(key, tie('value'))),
}));
const kind = schema.map((spec) => schemaFromOpenApi({ type: 'object', properties: { spec } }, ObjectMeta));
const object = value.map((spec) => ({ apiVersion: 'x.example/v1', kind: 'X', metadata: { name: 'x' }, spec }));

describe('every custom schema', () => {
  test('prunes once and for all', () => {
    fc.assert(
      fc.property(kind, object, (of, given) => {
        const once = prune(of, given);
        expect(prune(of, once.value)).toEqual({ value: once.value, dropped: [] });
      }),
    );
  });

  test('fills in its defaults once and for all', () => {
    fc.assert(
      fc.property(kind, object, (of, given) => {
        const once = clone(given);
        applyDefaults({ schema: of, defaults: noDefaults }, once);
        const twice = clone(once);
        applyDefaults({ schema: of, defaults: noDefaults }, twice);
        expect(twice).toEqual(once);
      }),
    );
  });

  test('gives back from the store what was put there', () => {
    fc.assert(
      fc.property(kind, object, (of, given) => {
        const form = jsonForm({ group: 'x.example', version: 'v1', kind: 'X', schema: of });
        const { object: decoded } = decodeJson(of, Buffer.from(encodeJson(of, given)));
        const stored = form.encode(decoded);
        expect(form.encode(form.parse(stored)).toString()).toBe(stored.toString());
        expect(form.parse(stored)).toEqual(JSON.parse(stored.toString()));
      }),
    );
  });
});

describe('a custom schema made from the OpenAPI of a built-in kind', () => {
  const texts = { common: {}, metadata: '#/ObjectMeta' };
  const custom = schemaFromOpenApi(specOnly(customDefinition(asCustom(Deployment), 3, texts)), ObjectMeta);

  test.each([
    ['a good object', 0, { replicas: 1, selector: {}, template: { spec: { containers: [{ name: 'a', image: 'x' }] } } }],
    ['a number that is text', 1, { replicas: 'one' }],
    ['a list that is an object', 1, { template: { spec: { containers: {} } } }],
    ['text that is a number, deep inside', 1, { template: { spec: { containers: [{ name: 5 }] } } }],
  ])('judges %s as the built-in kind does', (_, mistakes, spec) => {
    expect(judge(Deployment, spec)).toHaveLength(mistakes);
    expect(judge(custom, spec)).toEqual(judge(Deployment, spec));
  });

  test('judges whatever stands in the place of any value as the built-in kind does', () => {
    const container = {
      name: 'a',
      image: 'x',
      args: ['1'],
      ports: [{ containerPort: 80 }],
      resources: { limits: { cpu: '1' } },
      env: [{ name: 'e', value: 'v' }],
    };
    const good = {
      replicas: 1,
      paused: true,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
    };
    const stranger = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant([]), fc.constant({}), fc.constant([{}]), fc.constant(['x']));
    fc.assert(
      fc.property(fc.nat(), stranger, (place, other) => {
        const spec = replaced(good, place, other);
        expect(judge(custom, spec)).toEqual(judge(Deployment, spec));
      }),
    );
  });
});

/** Where and for what reason values are wrong; what is missing is another matter. */
function judge(schemaOf: StructSchema, spec: unknown): readonly string[] {
  const errors = new FieldErrors();
  validateStructural(schemaOf, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' }, spec }, errors);
  return errors.list.map(({ field, reason }) => `${field} ${reason}`).filter((text) => !text.includes('Required'));
}

/** A copy with another value in one of its places. */
function replaced(value: object, place: number, other: unknown): unknown {
  const copy = clone(value);
  const places: [holder: Record<string, unknown>, name: string][] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const [name, member] of Object.entries(holder)) {
      places.push([holder, name]);
      if (typeof member === 'object' && member !== null) visit(member as Record<string, unknown>);
    }
  };
  visit(copy as Record<string, unknown>);
  const [holder, name] = places[place % places.length] as (typeof places)[0];
  holder[name] = other;
  return copy;
}

function asCustom(built: StructSchema): StructSchema {
  return { is: 'struct', name: '', options: { root: true }, fields: built.fields };
}

function specOnly(definition: object): OpenApiSource {
  const { properties } = definition as { properties: Record<string, unknown> };
  return { type: 'object', properties: { spec: properties['spec'] } };
}

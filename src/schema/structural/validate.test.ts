import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { type OpenApiSource, schemaFromOpenApi, valueFromOpenApi } from '#schema/structural/from-openapi.ts';
import { validateListInvariants } from '#schema/structural/list-invariants.ts';
import { prune } from '#schema/structural/prune.ts';
import { stringFormat } from '#schema/structural/string-formats.ts';
import { applyStructuralDefaults } from '#schema/structural/structural-defaults.ts';
import { validateStructural } from '#schema/structural/validate.ts';

/** What is wrong with `spec.v` when its schema is `v`. */
function problems(v: OpenApiSource, value: unknown, ...old: [unknown?]): string[] {
  const schema = schemaFromOpenApi({ type: 'object', properties: { spec: { type: 'object', properties: { v } } } }, ObjectMeta);
  const errors = new FieldErrors();
  const options = old.length === 0 ? {} : { old: { spec: { v: old[0] } } };
  validateStructural(schema, { metadata: { name: 'x' }, spec: { v: value } }, errors, options);
  validateListInvariants(schema, { spec: { v: value } }, errors);
  return errors.list.map(String);
}

describe('validateStructural', () => {
  it.each<[string, OpenApiSource, unknown, string[]]>([
    ['types', { type: 'string' }, 5, ['spec.v: Invalid value: "integer": spec.v in body must be of type string: "integer"']],
    ['null', { type: 'string' }, null, ['spec.v: Invalid value: "null": spec.v in body must be of type string: "null"']],
    ['allowed null', { type: 'string', nullable: true }, null, []],
    ['whole numbers where numbers are wanted', { type: 'number' }, 5, []],
    [
      'numbers that are not whole',
      { type: 'integer' },
      1.5,
      [
        'spec.v: Invalid value: "number": spec.v in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.v',
      ],
    ],
    [
      'large numbers',
      { type: 'number', maximum: 1000000 },
      2000000.5,
      ['spec.v: Invalid value: 2.0000005e+06: spec.v in body should be less than or equal to 1e+06'],
    ],
    ['integers of 64 bits', { type: 'integer' }, 9223372036854775807n, []],
    [
      'the range of int32',
      { type: 'integer', format: 'int32' },
      2147483648,
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.v'],
    ],
    ['length in characters', { type: 'string', maxLength: 1 }, '𝒳', []],
    ['patterns anywhere in the text', { type: 'string', pattern: 'b' }, 'abc', []],
    [
      'patterns that V8 would choke on',
      { type: 'string', pattern: '^(a+)+$' },
      `${'a'.repeat(40)}!`,
      ['spec.v: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!": spec.v in body should match \'^(a+)+$\''],
    ],
    ['exclusive bounds', { type: 'number', minimum: 1, exclusiveMinimum: true }, 1, ['spec.v: Invalid value: 1: spec.v in body should be greater than 1']],
    [
      'int-or-string',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['spec.v: Invalid value: "boolean": spec.v in body must be of type integer,string: "boolean"'],
    ],
    [
      'values of maps',
      { type: 'object', additionalProperties: { type: 'string' } },
      { a: 1 },
      ['spec.v.a: Invalid value: "integer": spec.v.a in body must be of type string: "integer"'],
    ],
    ['unknown formats', { type: 'string', format: 'made-up' }, 'x', []],
    ['members that must be there though nobody declares them', { type: 'object', required: ['a'] }, {}, ['spec.v.a: Required value']],
    [
      'objects that must not be',
      { type: 'object', not: { required: ['a'] }, properties: { a: {} } },
      { a: 1 },
      ['<nil>: Invalid value: "": "spec.v" must not validate the schema (not)'],
    ],
    [
      'all of several',
      { type: 'integer', allOf: [{ minimum: 5 }, { maximum: 3 }] },
      4,
      [
        'spec.v: Invalid value: 4: spec.v in body should be greater than or equal to 5',
        'spec.v: Invalid value: 4: spec.v in body should be less than or equal to 3',
        '<nil>: Invalid value: "": "spec.v" must validate all the schemas (allOf). None validated',
      ],
    ],
    [
      'one of several',
      { type: 'integer', oneOf: [{ minimum: 5 }, { minimum: 3 }] },
      6,
      ['<nil>: Invalid value: "": "spec.v" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
  ])('minds %s', (_, schema, value, expected) => {
    expect(problems(schema, value)).toEqual(expected);
  });

  it('lets what was wrong before be, as long as it is the same', () => {
    const short = { type: 'string', maxLength: 1 };
    expect(problems(short, 'long', 'long')).toEqual([]);
    expect(problems(short, 'longer', 'long')).toHaveLength(1);
    const keyed = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: short } },
    };
    expect(
      problems(
        keyed,
        [
          { k: 'b', v: '1' },
          { k: 'a', v: 'long' },
        ],
        [{ k: 'a', v: 'long' }],
      ),
    ).toEqual([]);
    const atomic = { type: 'array', items: short };
    expect(problems(atomic, ['long', 'x'], ['long'])).toEqual(['spec.v[0]: Too long: may not be more than 1 byte']);
  });

  it('says where below the object a part stands, but names only the part in its texts', () => {
    const errors = new FieldErrors();
    validateStructural(valueFromOpenApi({ type: 'object', properties: { n: { type: 'integer' } } }), { n: 'x' }, errors, { at: 'status' });
    expect(errors.list.map(String)).toEqual(['status.n: Invalid value: "string": n in body must be of type integer: "string"']);
  });

  it('looks at metadata only as far as the schema does', () => {
    const name = { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } } } };
    const errors = new FieldErrors();
    validateStructural(schemaFromOpenApi(name, ObjectMeta), { metadata: { name: 'long', labels: 5 } }, errors);
    expect(errors.list.map(String)).toEqual(['metadata.name: Too long: may not be more than 3 bytes']);
  });

  it('works for built-in kinds as well', () => {
    const errors = new FieldErrors();
    validateStructural(ConfigMap, { metadata: { name: 'x' }, data: { a: 1 }, immutable: 'yes' }, errors);
    expect(errors.list.map(({ field }) => field)).toEqual(['data.a', 'immutable']);
  });
});

describe('stringFormat', () => {
  it.each([
    ['email', ['a@b', 'Ann <ann@x.org>', '"q q"@x.org', 'a.b@c.d'], ['a', 'a@', '@b', 'a@b c', 'a..b@c', `${'a'.repeat(900)}>`]],
    ['uri', ['http://x', '/path', 'mailto:x', 'http://[::1]:80/x', '*', 'https://u:p@h:1/%41?q=%zz'], ['', 'x', ':x', 'http://h:port/', '/%zz', 'http://a b/']],
    ['hostname', ['a', 'a.example', '1', 'a-b.com', '☃.net'], ['', '-a', 'a.b', 'a..com', 'a.c1', `${'a'.repeat(64)}.com`]],
    ['duration', ['1h', '1.5s', '2 days', '3 minutes', '0'], ['', 'x', '1', '5 lightyears']],
    ['date-time', ['2024-02-29T00:00:00Z', '2024-01-01t00:00:00.5+02:00'], ['2023-02-29T00:00:00Z', '2024-01-01 00:00:00Z', '2024-01-01T24:00:00Z']],
    ['mac', ['01:23:45:67:89:ab', '01-23-45-67-89-ab', '0123.4567.89ab', '0123456789ab'], ['01:23:45:67:89', '01:23-45:67:89:ab', '0123456789']],
    ['isbn', ['0-321-75104-3', '978-0321751041'], ['0-321-75104-4', '1']],
    ['creditcard', ['4111 1111 1111 1111'], ['4111 1111 1111 1112']],
    ['byte', ['YQ==', 'YWJj'], ['', 'YQ', 'Y*==']],
    ['ipv4', ['10.0.0.1', '010.0.0.1'], ['::1', '10.0.0', '']],
    ['ipv6', ['::1', '::ffff:1.2.3.4'], ['10.0.0.1', ':', '']],
    ['rgbcolor', ['rgb(0, 1,255)'], ['rgb(0,1)', 'rgb(0,1,256)', 'rgb(00,1,2)']],
    ['k8s-short-name', ['a-b'], ['a.b', 'A', `${'a'.repeat(64)}`]],
  ])('knows %s', (name, good, bad) => {
    const fits = stringFormat(name);
    expect(good.filter((text) => fits?.(text) !== true)).toEqual([]);
    expect(bad.filter((text) => fits?.(text) !== false)).toEqual([]);
  });
});

it('names what a map has at its top with a dot in front', () => {
  const found = (schema: OpenApiSource, value: unknown): string[] => {
    const errors = new FieldErrors();
    validateStructural(valueFromOpenApi(schema), value, errors, { at: 'default' });
    return errors.list.map(String);
  };
  const numbers = { type: 'object', additionalProperties: { type: 'integer' } };
  const wrong = (field: string, name: string) => [`${field}: Invalid value: "string": ${name} in body must be of type integer: "string"`];
  expect(found(numbers, { a: 'x' })).toEqual(wrong('default.a', '.a'));
  expect(found({ type: 'object', additionalProperties: numbers }, { a: { b: 'x' } })).toEqual(wrong('default.a.b', '.a.b'));
  expect(found({ type: 'object', properties: { a: numbers } }, { a: { b: 'x' } })).toEqual(wrong('default.a.b', 'a.b'));
  expect(found({ type: 'array', items: numbers }, [{ a: 'x' }])).toEqual(wrong('default.[0].a', '[0].a'));
});

interface Step {
  do?: string;
  path?: string;
  body?: Record<string, unknown>;
  answer?: { status: number; body?: { spec?: unknown; details?: { causes?: { reason: string; field: string; message: string }[] } } };
}
const oracle = new URL('../../../../shared/oracle/crd.json', import.meta.url);

describe.skipIf(!existsSync(oracle))('custom objects of the recordings', () => {
  const scenarios = existsSync(oracle) ? (JSON.parse(readFileSync(oracle, 'utf8')) as { id: string; steps: Step[] }[]) : [];
  // The rules for embedded metadata belong to the kinds.
  const values = scenarios.filter(({ id }) => id.startsWith('crd/value/') && !id.includes('embedded'));

  it.each(values)('$id are judged, pruned and filled in the same', ({ steps }) => {
    const schema = schemaFromOpenApi(schemaIn(steps[0]), ObjectMeta);
    const judged = steps.filter(
      ({ do: verb, path, answer }) => verb === 'POST' && path?.endsWith('widgets') && (answer?.status === 201 || answer?.status === 422),
    );
    for (const { body, answer } of judged) {
      const object = structuredClone(body ?? {});
      applyStructuralDefaults(schema, object);
      const { value } = prune(schema, object);
      const errors = new FieldErrors();
      validateStructural(schema, value, errors);
      validateListInvariants(schema, value, errors);
      const causes = errors.list.map((error) => ({ reason: error.reason, message: error.body(), field: error.field }));
      expect(masked(sorted(causes))).toEqual(sorted(answer?.body?.details?.causes ?? []));
      if (answer?.status === 201) expect(masked((value as { spec?: unknown }).spec)).toEqual(answer.body?.spec);
    }
    expect(judged.length).toBeGreaterThan(0);
  });

  it('are many', () => {
    expect(values.length).toBeGreaterThan(30);
  });
});

/** The recordings do not keep uuids. */
function masked(value: unknown): unknown {
  return value === undefined ? value : JSON.parse(JSON.stringify(value).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'));
}

function schemaIn(step: Step | undefined): OpenApiSource {
  const spec = step?.body?.['spec'] as { versions: { schema: { openAPIV3Schema: OpenApiSource } }[] };
  return spec.versions[0]?.schema.openAPIV3Schema ?? {};
}

function sorted(causes: readonly { field: string; message: string; reason: string }[]): unknown[] {
  return causes.map(({ reason, message, field }) => ({ reason, message, field })).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

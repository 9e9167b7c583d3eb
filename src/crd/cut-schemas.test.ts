import { describe, expect, test } from 'vitest';
import { cutSchemas } from '#crd/cut-schemas.ts';

const plain = { type: 'object', properties: { spec: { type: 'object', properties: { name: { type: 'string', description: 'a "quoted" }}},{"text' } } } } };

interface Version {
  readonly name: string;
  readonly schema?: { readonly openAPIV3Schema: object };
}

function version(name: string, schema: object | undefined, more: object = {}): Version {
  return { name, served: true, storage: name === 'v1', ...(schema && { schema: { openAPIV3Schema: schema } }), ...more } as Version;
}

function bytesOf(versions: readonly Version[]): Buffer {
  const spec = { group: 'example.com', names: { plural: 'foos', kind: 'Foo' }, scope: 'Cluster', versions, conversion: { strategy: 'None' } };
  return Buffer.from(
    JSON.stringify({ kind: 'CustomResourceDefinition', metadata: { name: 'foos.example.com' }, spec, status: { conditions: [{ type: 'A' }] } }),
  );
}

/** What is cut is what stands there, and what is left is all else. */
function expectCut(versions: readonly Version[]): void {
  const bytes = bytesOf(versions);
  const cut = cutSchemas(bytes);
  expect(cut?.schemas.map((span) => span && JSON.parse(bytes.toString('utf8', span.start, span.end)))).toEqual(versions.map(({ schema }) => schema));
  expect(cut?.value).toEqual(JSON.parse(bytesOf(versions.map(({ schema: _schema, ...rest }) => rest)).toString()));
}

describe('the schemas of a definition', () => {
  test.each<readonly [string, object]>([
    ['nothing', {}],
    ['subresources', { subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } } }],
    ['columns', { additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }],
    ['selectable fields', { selectableFields: [{ jsonPath: '.spec.a' }] }],
    ['subresources and columns', { subresources: { status: {} }, additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }],
  ])('are cut out where %s follows', (_name, more) => {
    expectCut([version('v1', plain, more)]);
    expectCut([version('v1', plain, more), version('v2', plain), version('v3', { type: 'object' }, more)]);
  });

  test('may be missing in some versions', () => {
    expectCut([version('v1', undefined)]);
    expectCut([version('v1', undefined), version('v2', plain)]);
  });

  const strange: readonly (readonly [string, object])[] = [
    ['properties of the names that follow a schema', { properties: { a: { properties: { b: {} } }, subresources: {}, additionalPrinterColumns: {} } }],
    ['a version as a default', { default: { list: [{ a: { b: { c: {} } } }, { name: 'x', served: true }] } }],
    ['a schema of a definition as a default', { default: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { a: { b: {} } } }, subresources: {} }] } }],
    ['the end of a list of versions as a default', { default: { a: [{ b: { c: {} } }] } }],
  ];

  test.each(strange)('are cut out whole or not at all with %s', (_name, schema) => {
    for (const more of [{}, { subresources: { status: {} } }]) {
      const versions = [version('v1', schema, more), version('v2', plain, more), version('v3', schema)];
      if (cutSchemas(bytesOf(versions)) !== undefined) expectCut(versions);
    }
  });

  test('are not cut out where that cannot be told', () => {
    expect(cutSchemas(bytesOf([version('v1', { default: { schema: { openAPIV3Schema: { a: {} } } } }, { subresources: {} })]))).toBeUndefined();
    expect(cutSchemas(Buffer.from('{"spec":{"versions":[{"schema":{"openAPIV3Schema":{'))).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { definitionFacts, schemaSource } from '#crd/definition-facts.ts';

const schema = { openAPIV3Schema: { type: 'object', properties: { name: { type: 'string', description: 'a "quoted" [text]' } } } };
const version = (name: string, more: object = {}) => ({ name, served: true, storage: name === 'v1', ...more });

function bytesOf(versions: readonly object[], facts: object = {}): Buffer {
  const metadata = { name: 'foos.example.com', uid: 'u', ...facts, managedFields: [{ manager: 'x' }] };
  const spec = { group: 'example.com', names: { plural: 'foos', kind: 'Foo' }, scope: 'Cluster', versions };
  return Buffer.from(JSON.stringify({ kind: 'CustomResourceDefinition', metadata, spec, status: { acceptedNames: { plural: 'foos', kind: 'Foo' } } }));
}

describe('the facts of a definition', () => {
  test('are all of it but schemas and owners', () => {
    const { definition } = definitionFacts(bytesOf([version('v1', { schema, subresources: { status: {} } }), version('v2', { schema })]));
    expect(definition).toEqual({
      kind: 'CustomResourceDefinition',
      metadata: { name: 'foos.example.com', uid: 'u' },
      spec: {
        group: 'example.com',
        names: { plural: 'foos', kind: 'Foo' },
        scope: 'Cluster',
        versions: [version('v1', { subresources: { status: {} } }), version('v2')],
      },
      status: { acceptedNames: { plural: 'foos', kind: 'Foo' } },
    });
  });

  test('are the same where a schema holds what looks like its end', () => {
    const odd = { openAPIV3Schema: { default: { schema: { openAPIV3Schema: { a: { b: {} } } }, subresources: {} } } };
    const { definition, digests } = definitionFacts(bytesOf([version('v1', { schema: odd, subresources: { status: {} } }), version('v2', { schema })]));
    expect(definition.spec.versions).toEqual([version('v1', { subresources: { status: {} } }), version('v2')]);
    expect(digests.size).toBe(2);
  });

  test('say which versions have the same schema', () => {
    const other = { openAPIV3Schema: { type: 'object' } };
    const { digests } = definitionFacts(bytesOf([version('v1', { schema }), version('v2', { schema }), version('v3', { schema: other }), version('v4')]));
    expect(digests.get('v1')).toBe(digests.get('v2'));
    expect(new Set(digests.values()).size).toBe(3);
  });

  test('tell apart schemas of the same length, and those of another generation', () => {
    const sameLength = { openAPIV3Schema: { ...schema.openAPIV3Schema, type: 'tcejbo' } };
    const versions = [version('v1', { schema }), version('v2', { schema }), version('v3', { schema: sameLength }), version('v4', { schema: {} })];
    const digests = [1, 2].map((generation) => definitionFacts(bytesOf(versions, { generation })).digests);
    expect(digests.map((each) => new Set(each.values()).size)).toEqual([3, 3]);
    expect(digests[0]?.get('v1')).toBe(digests[0]?.get('v2'));
    expect(digests[0]?.get('v4')).not.toBe(digests[1]?.get('v4'));
  });

  test('lead to a schema however deep it is', () => {
    let deep: object = { type: 'string' };
    for (let i = 0; i < 600; i++) deep = { type: 'object', properties: { a: deep } };
    expect(schemaSource(bytesOf([version('v1', { schema: { openAPIV3Schema: deep } })]), 'v1')).toEqual(deep);
  });

  test('lead to the schema of a version', () => {
    const bytes = bytesOf([version('v1', { schema }), version('v2')]);
    expect(schemaSource(bytes, 'v1')).toEqual(schema.openAPIV3Schema);
    expect([schemaSource(bytes, 'v2'), schemaSource(bytes, 'v3')]).toEqual([undefined, undefined]);
  });
});

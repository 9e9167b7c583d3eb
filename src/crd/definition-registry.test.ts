import { expect, test } from 'vitest';
import type { CacheSet } from '#cache/cache-set.ts';
import { definitionFacts } from '#crd/definition-facts.ts';
import { type DeferredDefinition, DefinitionRegistry } from '#crd/definition-registry.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { aggregatedDiscovery } from '#server/discovery/aggregated-document.ts';

const group = 'many.example.com';

function stored(plural: string): Buffer {
  const names = { plural, singular: plural.slice(0, -1), kind: `K${plural}`, listKind: `K${plural}List` };
  const openAPIV3Schema = { type: 'object', properties: { size: { type: 'integer', default: 3 } } };
  const spec = { group, scope: 'Cluster', names, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }] };
  return Buffer.from(JSON.stringify({ metadata: { name: `${plural}.${group}`, uid: plural, generation: 1 }, spec, status: { acceptedNames: names } }));
}

function deferred(plural: string): DeferredDefinition {
  return { name: `${plural}.${group}`, group, plural, versions: ['v1'], facts: () => definitionFacts(stored(plural)) };
}

function registry() {
  const catalog = new ResourceCatalog([]);
  const read: string[] = [];
  const made = new DefinitionRegistry({ catalog, caches: {} as CacheSet, read: (name) => (read.push(name), stored(name.split('.')[0] ?? '')) });
  made.putDeferred([deferred('ants'), deferred('bees')]);
  return { catalog, read };
}

test('nobody who lists what is served reads a schema', async () => {
  const { catalog, read } = registry();
  await catalog.settleInTurns();
  expect(aggregatedDiscovery(catalog, 'apis').items?.[0]?.versions?.[0]?.resources?.map(({ resource }) => resource)).toEqual(['ants', 'bees']);
  expect(catalog.hubs().map(({ form, stamp }) => [typeof form.parse, stamp])).toHaveLength(2);
  expect(read).toEqual([]);
});

test('the schema of a kind is read for its first object, and no other', () => {
  const { catalog, read } = registry();
  const ants = catalog.find(group, 'v1', 'ants');
  expect(Object.keys(ants?.schema.fields ?? {})).toContain('size');
  expect(read).toEqual([`ants.${group}`]);
});

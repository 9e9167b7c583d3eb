import { expect, test } from 'vitest';
import { legacyResources } from '#aggregation/legacy-resources.ts';

const thing = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] };
const status = { name: 'things/status', singularName: '', namespaced: true, kind: 'Thing', verbs: ['get'] };
const kind = { group: '', version: '', kind: 'Thing' };
const asDiscovered = { resource: 'things', responseKind: kind, scope: 'Namespaced', singularResource: 'thing', verbs: ['get', 'list'] };

test('a resource keeps its names, categories and the group of its kind', () => {
  const entry = { ...thing, namespaced: false, group: 'other', version: 'v2', shortNames: ['th'], categories: ['all'] };
  expect(legacyResources([entry])).toEqual([
    { ...asDiscovered, scope: 'Cluster', responseKind: { group: 'other', version: 'v2', kind: 'Thing' }, shortNames: ['th'], categories: ['all'] },
  ]);
});

test.each([
  ['after', [thing, status]],
  ['before', [status, thing]],
])('a subresource %s its parent goes to it', (_where, entries) => {
  expect(legacyResources(entries)).toEqual([{ ...asDiscovered, subresources: [{ subresource: 'status', responseKind: kind, verbs: ['get'] }] }]);
});

test('a subresource without a parent makes one that can do nothing', () => {
  const nobody = { group: '', version: '', kind: '' };
  expect(legacyResources([{ ...status, kind: '' }])).toEqual([
    {
      resource: 'things',
      responseKind: nobody,
      scope: 'Namespaced',
      singularResource: '',
      verbs: [],
      subresources: [{ subresource: 'status', responseKind: nobody, verbs: ['get'] }],
    },
  ]);
});

test('a subresource of another scope than its parent is refused', () => {
  expect(() => legacyResources([thing, { ...status, namespaced: false }])).toThrow(
    'Parent things (scope: Namespaced) and subresource status (scope: Cluster) scope do not match',
  );
});

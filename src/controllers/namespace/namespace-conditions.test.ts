import { expect, test } from 'vitest';
import { type DeletionFindings, missingConditions } from '#controllers/namespace/namespace-conditions.ts';

const none: DeletionFindings = { undiscovered: new Map(), failures: [], remaining: [] };
const [then, later] = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'];
const told = (findings: Partial<DeletionFindings>, before: Parameters<typeof missingConditions>[0] = [], now = then) =>
  missingConditions(before, { ...none, ...findings }, now);

test('when nothing stands in the way all five conditions say so', () => {
  expect(told({})?.map(({ type, status, reason, message }) => [type, status, reason, message])).toEqual([
    ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    ['NamespaceContentRemaining', 'False', 'ContentRemoved', 'All content successfully removed'],
    ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
  ]);
});

test('what remains is counted by resource and by finalizer, in order of its text', () => {
  const conditions = told({
    remaining: [
      { resource: { group: 'sea.example.com', resource: 'boats' }, count: 2, finalizers: new Map([['b.example.com/x', 2]]) },
      {
        resource: { group: '', resource: 'configmaps' },
        count: 3,
        finalizers: new Map([
          ['a.example.com/x', 1],
          ['b.example.com/x', 1],
        ]),
      },
    ],
  });
  expect(conditions?.find(({ type }) => type === 'NamespaceContentRemaining')).toMatchObject({
    status: 'True',
    reason: 'SomeResourcesRemain',
    message: 'Some resources are remaining: boats.sea.example.com has 2 resource instances, configmaps. has 3 resource instances',
  });
  expect(conditions?.find(({ type }) => type === 'NamespaceFinalizersRemaining')).toMatchObject({
    status: 'True',
    reason: 'SomeFinalizersRemain',
    message: 'Some content in the namespace has finalizers remaining: a.example.com/x in 1 resource instances, b.example.com/x in 3 resource instances',
  });
});

test('group-versions that cannot be discovered and content that cannot be deleted are named', () => {
  const undiscovered = new Map([['metrics.k8s.io/v1beta1', 'stale GroupVersion discovery: metrics.k8s.io/v1beta1']]);
  const conditions = told({ undiscovered, failures: ['second', 'first'] });
  expect(conditions?.[0]).toMatchObject({
    reason: 'DiscoveryFailed',
    message:
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
  });
  expect(conditions?.[2]).toMatchObject({ reason: 'ContentDeletionFailed', message: 'Failed to delete all resource types, 2 remaining: first, second' });
});

test('nothing is written twice, times change with the status alone, and conditions of others stay', () => {
  const foreign = { type: 'Other', status: 'True' } as const;
  const first = told({ failures: ['a'] }, [foreign]) ?? [];
  expect(first[0]).toBe(foreign);
  expect(told({ failures: ['a'] }, first, later)).toBeUndefined();
  const second = told({ failures: ['b'] }, first, later) ?? [];
  expect(second.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(first.map(({ lastTransitionTime }) => lastTransitionTime));
  const failure = (conditions: typeof first) => conditions.find(({ type }) => type === 'NamespaceDeletionContentFailure');
  expect(failure(second)?.message).toContain('b');
  expect(failure(told({}, second, later) ?? [])).toMatchObject({ status: 'False', lastTransitionTime: later });
});

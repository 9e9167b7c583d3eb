import { expect, test } from 'vitest';
import { inImportOrder } from '#cli/state/import-order.ts';
import { type StateObject, titleOf } from '#cli/state/state-object.ts';

function object(apiVersion: string, kind: string, name: string, ...owners: string[]): StateObject {
  const ownerReferences = owners.map((uid) => ({ apiVersion: 'v1', kind: 'X', name: uid, uid }));
  return { apiVersion, kind, metadata: { name, uid: name, ...(owners.length > 0 && { ownerReferences }) } };
}

function ordered(...objects: StateObject[]): readonly string[] {
  return inImportOrder(objects).map(titleOf);
}

test('definitions and namespaces come first, what judges and counts comes last, and the rest keeps its order', () => {
  const order = ordered(
    object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'w'),
    object('v1', 'ResourceQuota', 'q'),
    object('v1', 'Pod', 'p'),
    object('example.com/v1', 'Widget', 'c'),
    object('apps/v1', 'Deployment', 'd'),
    object('v1', 'Namespace', 'n'),
    object('v1', 'ServiceAccount', 's'),
    object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com'),
  );
  expect(order).toEqual([
    'CustomResourceDefinition widgets.example.com',
    'Namespace n',
    'ServiceAccount s',
    'Pod p',
    'Widget c',
    'Deployment d',
    'ResourceQuota q',
    'ValidatingWebhookConfiguration w',
  ]);
});

test('owners come before their dependents, all of them, also where their kind would come later', () => {
  const order = ordered(object('v1', 'ConfigMap', 'child', 'one', 'two'), object('example.com/v1', 'Widget', 'two', 'one'), object('v1', 'Pod', 'one'));
  expect(order).toEqual(['Pod one', 'Widget two', 'ConfigMap child']);
});

test('a circle of owners and one that is not in the file end nothing', () => {
  expect(ordered(object('v1', 'Pod', 'a', 'b'), object('v1', 'Pod', 'b', 'a'), object('v1', 'Pod', 'c', 'gone', 'c'))).toHaveLength(3);
});

test('a custom kind that is called as a built-in one is as any other custom kind', () => {
  expect(ordered(object('example.com/v1', 'Namespace', 'mine'), object('v1', 'Secret', 's'))).toEqual(['Secret s', 'Namespace mine']);
});

test('a chain of owners as long as the file is no problem', () => {
  const chain = Array.from({ length: 20_000 }, (_, i) => object('v1', 'Pod', `p${i}`, `p${i + 1}`));
  expect(inImportOrder(chain).at(-1)?.metadata.name).toBe('p0');
});

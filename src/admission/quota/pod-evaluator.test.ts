import fc from 'fast-check';
import { expect, test } from 'vitest';
import { podEvaluator } from '#admission/quota/pod-evaluator.ts';
import { formatAmounts } from '#admission/resource-list.ts';
import type { KubernetesObject } from '#api/object.ts';

const facts = { now: new Date('2026-01-01T00:00:00Z'), gate: () => true };
const amount = fc.constantFrom('1', '100m', '1Gi', '250Mi', '0');
const list = fc.dictionary(fc.constantFrom('cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'example.com/gpu', 'kubernetes.io/x'), amount);
const container = fc.record({ name: fc.constant('c'), resources: fc.record({ requests: list, limits: list }) });

function pod(spec: object, more: object = {}): KubernetesObject {
  return { kind: 'Pod', metadata: { name: 'p' }, spec, status: {}, ...more } as KubernetesObject;
}

const usageOf = (object: KubernetesObject) => formatAmounts(podEvaluator.usage(object, facts));

test('a status that grants nothing changes nothing', () => {
  fc.assert(
    fc.property(fc.array(container, { maxLength: 3 }), (containers) => {
      expect(usageOf(pod({ containers }, { status: { containerStatuses: [] } }))).toEqual(usageOf(pod({ containers })));
    }),
  );
});

const resources = { requests: { cpu: '1' }, limits: { cpu: '2' } };
const containers = [{ name: 'c', resources }];
const plain = { 'count/pods': '1', pods: '1', cpu: '1', 'requests.cpu': '1', 'limits.cpu': '2' };

test.each<[string, object, object, object]>([
  ['one container', {}, {}, {}],
  ['a larger step of initialization', { initContainers: [{ name: 'i', resources: { requests: { cpu: '3' } } }] }, {}, { cpu: '3', 'requests.cpu': '3' }],
  ['a sidecar', { initContainers: [{ name: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '3' } } }] }, {}, { cpu: '4', 'requests.cpu': '4' }],
  ['an overhead', { overhead: { cpu: '500m' } }, {}, { cpu: '1500m', 'requests.cpu': '1500m', 'limits.cpu': '2500m' }],
  ['amounts of the pod itself', { resources: { requests: { cpu: '7' } } }, {}, { cpu: '7', 'requests.cpu': '7' }],
  ['more granted than asked for', {}, { status: { containerStatuses: [{ name: 'c', allocatedResources: { cpu: '5' } }] } }, { cpu: '5', 'requests.cpu': '5' }],
])('a pod with %s counts as what it takes', (_, spec, more, difference) => {
  expect(usageOf(pod({ containers, ...spec }, more))).toEqual({ ...plain, ...difference });
});

test.each([
  ['has ended', { status: { phase: 'Succeeded' } }],
  ['has failed', { status: { phase: 'Failed' } }],
  ['should be gone', { metadata: { name: 'p', deletionTimestamp: '2025-12-31T23:59:00Z', deletionGracePeriodSeconds: 30 } }],
])('a pod that %s counts by its name alone', (_, more) => {
  expect(usageOf(pod({ containers }, more))).toEqual({ 'count/pods': '1' });
});

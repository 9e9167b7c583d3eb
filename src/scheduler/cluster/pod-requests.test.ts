import { expect, test } from 'vitest';
import { countedRequests, podRequests, scoredRequests } from '#scheduler/cluster/pod-requests.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

const asking = (cpu: string | undefined, memory?: string, more: object = {}) => ({
  name: 'c',
  resources: { requests: { ...(cpu && { cpu }), ...(memory && { memory }) } },
  ...more,
});
const podOf = (spec: object, status: object = {}) => ({ metadata: {}, spec, status }) as unknown as Pod;

test.each([
  ['containers together', { containers: [asking('100m', '1Mi'), asking('1', '1Mi')] }, 1100, 2 * 2 ** 20],
  ['the largest step of initialization', { containers: [asking('100m')], initContainers: [asking('300m'), asking('200m')] }, 300, 0],
  [
    'sidecars run beside what follows',
    { containers: [asking('1')], initContainers: [asking('500m', undefined, { restartPolicy: 'Always' }), asking('2')] },
    2500,
    0,
  ],
  [
    'a sidecar that starts late does not count before',
    { containers: [asking('1')], initContainers: [asking('2'), asking('500m', undefined, { restartPolicy: 'Always' })] },
    2000,
    0,
  ],
  ['amounts of the pod itself win', { containers: [asking('100m', '1Mi')], resources: { requests: { cpu: '3' } } }, 3000, 2 ** 20],
  ['overhead is added', { containers: [asking('100m')], overhead: { cpu: '50m' } }, 150, 0],
  ['parts of a byte are rounded up, once', { containers: [asking(undefined, '500m'), asking(undefined, '500m')] }, 0, 1],
])('%s', (_, spec, cpu, memory) => {
  expect(podRequests(podOf(spec))).toMatchObject({ cpu, memory });
});

test('extended resources, huge pages and storage are told apart', () => {
  const requests = { 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi', 'ephemeral-storage': '1Ki', pods: '1', 'requests.example.com/x': '1' };
  const { storage, scalars } = podRequests(podOf({ containers: [{ name: 'c', resources: { requests } }] }));
  expect(storage).toBe(1024);
  expect([...scalars]).toEqual([
    ['example.com/gpu', 2],
    ['hugepages-2Mi', 4 * 2 ** 20],
  ]);
});

test('scores count containers that ask for nothing, and not what stands on the pod itself', () => {
  const pod = podOf({ containers: [asking(undefined), asking('1')], resources: { requests: { cpu: '3' } } });
  expect(scoredRequests(pod)).toMatchObject({ cpu: 1100, memory: 400 * 2 ** 20 });
  expect(countedRequests(pod)).toMatchObject({ cpu: 3000, memory: 400 * 2 ** 20 });
});

test('while a resize is under way the largest of wish, grant and use counts; what is infeasible does not', () => {
  const containers = [asking('2')];
  const containerStatuses = [{ name: 'c', resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '500m' } }];
  expect(podRequests(podOf({ containers }, { containerStatuses }), { withStatus: true }).cpu).toBe(2000);
  const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
  expect(podRequests(podOf({ containers }, { containerStatuses, conditions }), { withStatus: true }).cpu).toBe(1000);
});

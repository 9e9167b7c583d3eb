// The plugins that run without being asked for and need little to be shown: one server, one table each.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let server: ServerInTest;
let serial = 0;

beforeAll(async () => {
  server = await ServerInTest.start();
});
afterAll(() => server[Symbol.asyncDispose]());

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly object: { readonly metadata: Record<string, unknown>; readonly spec: Record<string, unknown> };
}

async function post(path: string, body: object): Promise<Answer> {
  const { code, json } = await server.ask('POST', path, body);
  return { code, message: json.message, object: json as unknown as Answer['object'] };
}

function createPod(spec: object, name = `p${serial++}`): Promise<Answer> {
  return post('/api/v1/namespaces/default/pods', { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
}

describe('Priority', () => {
  test('a pod gets the number and the policy of its class', async () => {
    await server.make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 100, preemptionPolicy: 'Never' });
    expect((await createPod({ priorityClassName: 'high' })).object.spec).toMatchObject({ priority: 100, preemptionPolicy: 'Never' });
    expect((await createPod({})).object.spec).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
  });

  test.each([
    [{ priorityClassName: 'none' }, 'no PriorityClass with name none was found'],
    [
      { priority: 5 },
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
  ])('%j is refused', async (spec, why) => {
    const { code, message } = await createPod(spec, 'odd');
    expect([code, message]).toEqual([403, `pods "odd" is forbidden: ${why}`]);
  });

  test('there is one default class, and pods without a class get it', async () => {
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    await server.make(path, { metadata: { name: 'first' }, value: 7, globalDefault: true });
    const { code, message } = await post(path, { metadata: { name: 'second' }, value: 8, globalDefault: true });
    expect([code, message]).toEqual([
      403,
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    ]);
    expect((await createPod({})).object.spec).toMatchObject({ priority: 7, priorityClassName: 'first' });
    await server.ask('DELETE', `${path}/first`);
  });
});

describe('DefaultTolerationSeconds', () => {
  const notReady = 'node.kubernetes.io/not-ready';
  test.each([
    [[], [`${notReady} 300`, 'node.kubernetes.io/unreachable 300']],
    [[{ key: notReady, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }], [`${notReady} 5`, 'node.kubernetes.io/unreachable 300']],
    [[{ operator: 'Exists' }], ['undefined undefined']],
  ])('of %j becomes %j', async (tolerations, expected) => {
    const { spec } = (await createPod({ tolerations })).object as unknown as { spec: { tolerations: { key?: string; tolerationSeconds?: number }[] } };
    expect(spec.tolerations.map(({ key, tolerationSeconds }) => `${key} ${tolerationSeconds}`)).toEqual(expected);
  });
});

describe('RuntimeClass', () => {
  const path = '/apis/node.k8s.io/v1/runtimeclasses';

  test('a pod gets what its class costs and where it runs', async () => {
    const scheduling = { nodeSelector: { kind: 'sandbox' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] };
    await server.make(path, { metadata: { name: 'sandbox' }, handler: 'h', overhead: { podFixed: { cpu: '100m' } }, scheduling });
    const { spec } = (await createPod({ runtimeClassName: 'sandbox', nodeSelector: { zone: 'a' } })).object;
    expect(spec).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { kind: 'sandbox', zone: 'a' } });
    expect(spec['tolerations']).toContainEqual({ key: 'sandbox', operator: 'Exists' });
  });

  test.each([
    [{ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
    [{ overhead: { cpu: '1' } }, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    [{ runtimeClassName: 'sandbox', overhead: { cpu: '1' } }, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"],
    [
      { runtimeClassName: 'sandbox', nodeSelector: { kind: 'plain' } },
      'conflict: runtimeClass.scheduling.nodeSelector[kind] = sandbox; pod.spec.nodeSelector[kind] = plain',
    ],
  ])('%j is refused', async (spec, why) => {
    expect((await createPod(spec, 'odd')).message).toBe(`pods "odd" is forbidden: ${why}`);
  });
});

describe('StorageObjectInUseProtection', () => {
  const amount = { storage: '1Gi' };
  const kept = [
    ['/api/v1/namespaces/default/persistentvolumeclaims', 'pvc', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: amount } } }],
    ['/api/v1/persistentvolumes', 'pv', { spec: { accessModes: ['ReadWriteOnce'], capacity: amount, hostPath: { path: '/x' } } }],
    ['/apis/storage.k8s.io/v1/volumeattributesclasses', 'vac', { driverName: 'd.example.com', parameters: { a: 'b' } }],
  ] as const;

  test.each(kept)('what is made at %s gets a finalizer', async (path, short, body) => {
    expect((await post(path, { metadata: { name: 'kept' }, ...body })).object.metadata['finalizers']).toEqual([`kubernetes.io/${short}-protection`]);
  });

  test.each(kept)('what is made at %s with the finalizer has it once, and others besides', async (path, short, body) => {
    const finalizers = [`kubernetes.io/${short}-protection`, 'example.com/own'];
    expect((await post(path, { metadata: { name: 'own', finalizers }, ...body })).object.metadata['finalizers']).toEqual(finalizers);
  });
});

test('TaintNodesByCondition: a new node takes no pods yet', async () => {
  const { spec } = (await post('/api/v1/nodes', { metadata: { name: 'fresh' } })).object;
  expect(spec['taints']).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
});

test('PodTopologyLabels: a pod carries the zone and the region of its node', async () => {
  const labels = { 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r', 'kubernetes.io/arch': 'a' };
  await server.make('/api/v1/nodes', { metadata: { name: 'placed', labels } });
  const direct = await createPod({ nodeName: 'placed' });
  expect(direct.object.metadata['labels']).toEqual({ 'topology.kubernetes.io/zone': 'z', 'topology.kubernetes.io/region': 'r' });
  await createPod({}, 'bound');
  await server.ask('POST', '/api/v1/namespaces/default/pods/bound/binding', { metadata: { name: 'bound' }, target: { kind: 'Node', name: 'placed' } });
  const { json } = await server.ask('GET', '/api/v1/namespaces/default/pods/bound');
  expect((json as unknown as Answer['object']).metadata['labels']).toEqual(direct.object.metadata['labels']);
});

test('PodResizeValidator: a pod grows only into what its node has', async () => {
  await server.make('/api/v1/nodes', { metadata: { name: 'small' } });
  const merge = { type: 'application/merge-patch+json' };
  await server.ask(
    'PATCH',
    '/api/v1/nodes/small/status',
    { status: { allocatable: { cpu: '1', memory: '1Gi' }, capacity: { cpu: '1', memory: '1Gi' } } },
    merge,
  );
  await createPod({ nodeName: 'small', containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }] }, 'resized');
  const resize = (cpu: string) =>
    server.ask(
      'PATCH',
      '/api/v1/namespaces/default/pods/resized/resize',
      { spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] } },
      { type: 'application/strategic-merge-patch+json' },
    );
  expect((await resize('500m')).code).toBe(200);
  const { code, json } = await resize('2');
  expect([code, json.message]).toEqual([
    403,
    'pods "resized" is forbidden: node didn\'t have enough allocatable resources: cpu, requested: 2000, allocatable: 1000',
  ]);
});

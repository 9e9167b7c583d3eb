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

describe('storage', () => {
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const claim = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
  });
  const merge = { type: 'application/merge-patch+json' };

  test('claims are protected while they are used', async () => {
    expect((await post(claims, claim('kept'))).object.metadata['finalizers']).toEqual(['kubernetes.io/pvc-protection']);
  });

  test('the class marked as default is that of claims without one', async () => {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await server.make('/apis/storage.k8s.io/v1/storageclasses', { metadata: { name: 'standard', annotations }, provisioner: 'p', allowVolumeExpansion: true });
    expect((await post(claims, claim('any'))).object.spec['storageClassName']).toBe('standard');
    expect((await post(claims, claim('none', { storageClassName: '' }))).object.spec['storageClassName']).toBe('');
  });

  test('a claim grows only if its class can expand', async () => {
    const larger = { spec: { resources: { requests: { storage: '2Gi' } } } };
    await server.make(claims, claim('grow', { storageClassName: 'standard' }));
    await server.make(claims, claim('fixed', { storageClassName: 'other', volumeName: 'v' }));
    for (const name of ['grow', 'fixed'])
      await server.ask('PATCH', `${claims}/${name}/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }, merge);
    expect((await server.ask('PATCH', `${claims}/fixed`, larger, merge)).json.message).toContain('only dynamically provisioned pvc can be resized');
    expect((await server.ask('PATCH', `${claims}/grow`, { spec: { volumeName: 'v', ...larger.spec } }, merge)).code).toBe(200);
  });
});

test('DefaultIngressClass: the newest marked class is that of ingresses without one', async () => {
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  const ingress = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } }, ...spec },
  });
  await server.make('/apis/networking.k8s.io/v1/ingressclasses', { metadata: { name: 'web', annotations }, spec: { controller: 'a/b' } });
  const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
  expect((await post(path, ingress('any'))).object.spec['ingressClassName']).toBe('web');
  expect((await post(path, ingress('own', { ingressClassName: 'other' }))).object.spec['ingressClassName']).toBe('other');
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

describe('NamespaceLifecycle', () => {
  test('nothing is created where there is no namespace', async () => {
    const { code, message } = await post('/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'c' } });
    expect([code, message]).toEqual([404, 'namespaces "nowhere" not found']);
  });

  test.each(['default', 'kube-system', 'kube-public'])('%s stays', async (name) => {
    const { code, json } = await server.ask('DELETE', `/api/v1/namespaces/${name}`);
    expect([code, json.message]).toEqual([403, `namespaces "${name}" is forbidden: this namespace may not be deleted`]);
  });

  test('nothing new comes into a namespace that is going', async () => {
    await server.make('/api/v1/namespaces', { metadata: { name: 'going' } });
    await server.ask('DELETE', '/api/v1/namespaces/going');
    const { code, message } = await post('/api/v1/namespaces/going/configmaps', { metadata: { name: 'c' } });
    expect([code, message]).toEqual([403, 'configmaps "c" is forbidden: unable to create new content in namespace going because it is being terminated']);
  });
});

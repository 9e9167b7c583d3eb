import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnsweredObject, ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  const flags = ['--nodes=3', '--controllers=nodelifecycle,taint-eviction-controller,podgc,ttl,namespace', '--node-monitor-period=200ms'];
  server = await ServerInTest.start({ flags: [...flags, '--node-monitor-grace-period=14s', '--node-eviction-rate=100'] });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Longer than a node may be silent. */
const soon = { timeout: 30_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
let count = 0;
let pods = '';
let namespace = '';
beforeEach(async () => {
  namespace = `play-${++count}`;
  pods = `/api/v1/namespaces/${namespace}/pods`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
});

interface Parts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly finalizers?: readonly string[];
}

async function pod(name: string, { annotations = {}, spec = {}, finalizers = [] }: Parts = {}): Promise<AnsweredObject> {
  const named = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`nodes.binnacle.dev/${key}`, value]));
  const containers = [{ name: 'main', image: 'nginx' }];
  return server.make(pods, { metadata: { name, annotations: named, finalizers }, spec: { nodeName: 'node-0', containers, ...spec } });
}

type Loose = Readonly<Record<string, unknown>>;
const get = async (path: string) => (await server.ask('GET', path)).json as unknown as { metadata: Loose; spec: Loose; status: Loose };
const metrics = async () => (await server.ask('GET', '/metrics')).text;
const phase = async (name: string) => (await get(`${pods}/${name}`)).status?.['phase'];

test('nodes are registered as kubelets do it, say that nothing runs there, and are ready for pods', async () => {
  await expect
    .poll(async () => (await server.ask('GET', '/api/v1/nodes')).json.items.map(({ metadata }) => metadata.name), soon)
    .toEqual(['node-0', 'node-1', 'node-2']);
  await expect.poll(async () => (await get('/api/v1/nodes/node-1')).spec['taints'], soon).toBeUndefined();
  const node = await get('/api/v1/nodes/node-1');
  expect(node.metadata['annotations']).toMatchObject({ 'nodes.binnacle.dev/simulated': 'played by Binnacle: nothing runs on this node' });
  expect(node.spec).toMatchObject({ podCIDR: '10.128.1.0/24' });
  expect(node.status).toMatchObject({ addresses: [{ type: 'InternalIP', address: '172.30.0.2' }, { address: 'node-1' }] });
  expect(node.status['conditions']).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True', reason: 'KubeletReady' }));
  await expect.poll(async () => (await get('/api/v1/nodes/node-1')).metadata['annotations'], soon).toMatchObject({ 'node.alpha.kubernetes.io/ttl': '0' });
  const lease = () => get('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1');
  await expect.poll(async () => (await lease()).spec, soon).toMatchObject({ holderIdentity: 'node-1', leaseDurationSeconds: 40 });
});

test('a pod that is bound to a node runs there, at an address of its own, as far as its kubelet is concerned', async () => {
  await pod('a');
  await pod('b');
  await expect.poll(() => phase('a'), soon).toBe('Running');
  await expect.poll(() => phase('b'), soon).toBe('Running');
  const [a, b] = [await get(`${pods}/a`), await get(`${pods}/b`)];
  expect(a.status).toMatchObject({ hostIP: '172.30.0.1', containerStatuses: [{ ready: true }] });
  expect(a.status['podIP']).not.toBe(b.status['podIP']);
  expect(a.metadata['managedFields']).toContainEqual(expect.objectContaining({ manager: 'kubelet', subresource: 'status' }));
});

test('logs and shells of such a pod say why there are none', async () => {
  await pod('a');
  const answer = await server.ask('GET', `${pods}/a/log`);
  expect(answer.code).toBe(501);
  expect(answer.json.message).toBe('pod a is on node node-0, which is played by Binnacle: nothing runs on this node: it has no logs and no processes');
});

test('pods that are not restarted end, with the code that is asked for', async () => {
  await pod('good', { spec: { restartPolicy: 'Never' }, annotations: { 'exit-after': '100ms' } });
  await pod('bad', { spec: { restartPolicy: 'Never' }, annotations: { 'exit-after': '100ms', 'exit-code': '7' } });
  await expect.poll(() => phase('good'), soon).toBe('Succeeded');
  await expect.poll(() => phase('bad'), soon).toBe('Failed');
});

test('a deleted pod tells its end before it goes; finalizers hold it with that status', async () => {
  await pod('held', { finalizers: ['example.com/held'] });
  await expect.poll(() => phase('held'), soon).toBe('Running');
  await server.ask('DELETE', `${pods}/held`);
  await expect.poll(() => phase('held'), soon).toBe('Failed');
  await expect.poll(async () => (await get(`${pods}/held`)).metadata['deletionGracePeriodSeconds'], soon).toBe(0);
  await server.ask('PATCH', `${pods}/held`, { metadata: { finalizers: null } }, merge);
  await expect.poll(async () => (await server.ask('GET', `${pods}/held`)).code, soon).toBe(404);
});

test('evictions end pods like deletions', async () => {
  await pod('evicted');
  await expect.poll(() => phase('evicted'), soon).toBe('Running');
  await server.ask('POST', `${pods}/evicted/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'evicted' } });
  await expect.poll(async () => (await server.ask('GET', `${pods}/evicted`)).code, soon).toBe(404);
});

test('a container that fails again and again is restarted after pauses, and an Event warns of it', async () => {
  await pod('crashing', { annotations: { 'exit-after': '50ms', 'exit-code': '1' } });
  const container = async () => ((await get(`${pods}/crashing`)).status['containerStatuses'] as readonly Loose[])?.[0];
  await expect.poll(container, soon).toMatchObject({ restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } });
  const events = async () => (await server.ask('GET', `/api/v1/namespaces/${namespace}/events`)).json.items;
  await expect.poll(events, soon).toMatchObject([{ reason: 'BackOff', type: 'Warning', source: { component: 'kubelet' } }]);
});

test('nodes that others make with the annotation are played as well, as large as they say', async () => {
  const annotations = { 'nodes.binnacle.dev/simulated': 'yes' };
  await server.make('/api/v1/nodes', { metadata: { name: 'big', annotations }, status: { capacity: { cpu: '1k', memory: '1Ti', pods: '1000' } } });
  await expect.poll(async () => (await get('/api/v1/nodes/big')).status['capacity'], soon).toMatchObject({ cpu: '1k' });
  await pod('a', { spec: { nodeName: 'big' } });
  await expect.poll(() => phase('a'), soon).toBe('Running');
  await server.ask('DELETE', '/api/v1/nodes/big');
});

test('a node that is played from some moment on gives no pod an address that another one has already', async () => {
  await server.make('/api/v1/nodes', { metadata: { name: 'later' }, spec: { podCIDR: '10.9.0.0/24' } });
  await pod('a-new', { spec: { nodeName: 'later' } });
  await pod('b-old', { spec: { nodeName: 'later' } });
  const ip = '10.9.0.2';
  await server.ask('PATCH', `${pods}/b-old/status`, { status: { podIP: ip, podIPs: [{ ip }] } }, merge);
  await server.ask('PATCH', '/api/v1/nodes/later', { metadata: { annotations: { 'nodes.binnacle.dev/simulated': 'yes' } } }, merge);
  for (const name of ['a-new', 'b-old']) await expect.poll(() => phase(name), soon).toBe('Running');
  expect((await get(`${pods}/a-new`)).status['podIP']).toBe('10.9.0.3');
  expect((await get(`${pods}/b-old`)).status['podIP']).toBe(ip);
  await server.ask('DELETE', '/api/v1/nodes/later');
});

describe('a node that falls silent', () => {
  const silence = (heartbeat: string | null) =>
    server.ask('PATCH', '/api/v1/nodes/node-2', { metadata: { annotations: { 'nodes.binnacle.dev/heartbeat': heartbeat } } }, merge);
  const ready = async () => ((await get('/api/v1/nodes/node-2')).status['conditions'] as readonly Loose[]).find(({ type }) => type === 'Ready');
  const taints = async () => ((await get('/api/v1/nodes/node-2')).spec['taints'] ?? []) as readonly Loose[];
  const events = async () => (await server.ask('GET', '/api/v1/namespaces/default/events')).json.items;

  test('is not ready, keeps new pods away, loses its pods in time, and is forgiven when it speaks again', async () => {
    await pod('patient', { spec: { nodeName: 'node-2', tolerations: [{ operator: 'Exists' }] } });
    await pod('impatient', { spec: { nodeName: 'node-2', tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 }] } });
    await expect.poll(() => phase('patient'), soon).toBe('Running');
    await expect.poll(() => phase('impatient'), soon).toBe('Running');
    await silence('stopped');
    await expect.poll(ready, soon).toMatchObject({ status: 'Unknown', reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' });
    const effects = async () => (await taints()).map(({ key, effect }) => `${key}:${effect}`).toSorted();
    await expect.poll(effects, soon).toEqual(['NoExecute', 'NoSchedule'].map((effect) => `node.kubernetes.io/unreachable:${effect}`));
    const conditions = async (name: string) => (await get(`${pods}/${name}`)).status['conditions'];
    await expect.poll(() => conditions('patient'), soon).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'False' }));
    // Nobody is there to end it, so it stays with its mark.
    const mark = { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' };
    await expect.poll(() => conditions('impatient'), soon).toContainEqual(expect.objectContaining(mark));
    await expect.poll(async () => (await get(`${pods}/impatient`)).metadata['deletionTimestamp'], soon).toBeDefined();
    await expect.poll(events, soon).toContainEqual(
      expect.objectContaining({
        reason: 'NodeNotReady',
        type: 'Normal',
        message: 'Node node-2 status is now: NodeNotReady',
        source: { component: 'node-controller' },
      }),
    );
    await expect.poll(metrics, soon).toMatch(/^node_collector_unhealthy_nodes_in_zone\{zone="[^"]*"\} 1$/m);
    expect(await metrics()).toMatch(/^node_collector_evictions_total\{zone="[^"]*"\} 1$/m);
    expect(await metrics()).toMatch(/^taint_eviction_controller_pod_deletions_total 1$/m);
    await silence(null);
    await expect.poll(ready, soon).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    await expect.poll(taints, soon).toEqual([]);
    await expect.poll(async () => (await server.ask('GET', `${pods}/impatient`)).code, soon).toBe(404);
    await expect.poll(() => conditions('patient'), soon).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  }, 60_000);
});

test('a pod that was deleted before it had a node is collected', async () => {
  await server.make(pods, { metadata: { name: 'lost', finalizers: ['example.com/held'] }, spec: { containers: [{ name: 'c', image: 'i' }] } });
  await server.ask('DELETE', `${pods}/lost`);
  expect((await server.ask('GET', `${pods}/lost`)).code).toBe(200);
  await expect.poll(() => phase('lost'), soon).toBe('Failed');
  expect(await metrics()).toMatch(new RegExp(`^pod_gc_collector_force_delete_pods_total\\{namespace="${namespace}",reason="unscheduled"\\} [1-9]`, 'm'));
}, 40_000);

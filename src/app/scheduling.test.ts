import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=scheduler,namespace'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 20 };
const merge = { type: 'application/merge-patch+json' };
let count = 0;
let namespace = '';
let pods = '';
let made: string[] = [];

beforeEach(async () => {
  if (pods !== '') await server.ask('DELETE', pods);
  for (const name of made) await server.ask('DELETE', `/api/v1/nodes/${name}`);
  made = [];
  namespace = `scheduling-${++count}`;
  pods = `/api/v1/namespaces/${namespace}/pods`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
});

interface NodeWish {
  readonly cpu?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
}

/** Names are of this test alone: pods of others that are still there name other nodes. */
async function node(name: string, { cpu = '4', labels = {}, taints = [] }: NodeWish = {}): Promise<string> {
  const full = `${namespace}-${name}`;
  const allocatable = { cpu, memory: '8Gi', pods: '110', 'ephemeral-storage': '10Gi' };
  await server.make('/api/v1/nodes', { metadata: { name: full, labels: { 'kubernetes.io/hostname': full, ...labels } }, status: { allocatable } });
  // The plugin TaintNodesByCondition has tainted it.
  await server.ask('PATCH', `/api/v1/nodes/${full}`, { spec: { taints } }, merge);
  made.push(full);
  return full;
}

async function pod(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
  await server.make(pods, { metadata: { name, ...metadata }, spec: { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0, ...spec } });
}

interface SeenPod {
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly nominatedNodeName?: string; readonly conditions?: readonly { readonly type: string; readonly message?: string }[] };
}

async function seen(name: string): Promise<SeenPod> {
  return (await server.ask('GET', `${pods}/${name}`)).json as unknown as SeenPod;
}

async function nodeOf(name: string): Promise<string | undefined> {
  return (await seen(name)).spec?.nodeName;
}

async function whyNot(name: string): Promise<string | undefined> {
  return (await seen(name)).status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
}

async function events(name: string): Promise<readonly object[]> {
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events?fieldSelector=regarding.name=${name}`;
  return (await server.ask('GET', path)).json.items as unknown as readonly object[];
}

const asking = (cpu: string) => ({ containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] });

test('a pod gets a node, a condition and an Event, and the binding is managed by kube-scheduler', async () => {
  const only = await node('a');
  await pod('p');
  await expect.poll(() => nodeOf('p'), soon).toBe(only);
  expect((await seen('p')).status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
  const note = `Successfully assigned ${namespace}/p to ${only}`;
  const said = { reason: 'Scheduled', type: 'Normal', action: 'Binding', note, reportingController: 'default-scheduler' };
  await expect.poll(() => events('p'), soon).toMatchObject([{ ...said, regarding: { kind: 'Pod', apiVersion: 'v1', name: 'p' } }]);
});

test('a pod that fits nowhere says why, and goes where there is room as soon as there is', async () => {
  await node('small', { cpu: '1' });
  await node('tainted', { taints: [{ key: 'k', effect: 'NoSchedule' }] });
  await pod('p', asking('2'));
  const why =
    '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.';
  await expect.poll(() => whyNot('p'), soon).toBe(why);
  expect((await seen('p')).status.conditions).toMatchObject([{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }]);
  await expect.poll(() => events('p'), soon).toMatchObject([{ reason: 'FailedScheduling', type: 'Warning', action: 'Scheduling', note: why }]);
  const large = await node('large');
  await expect.poll(() => nodeOf('p'), soon).toBe(large);
});

test('pods without a node in the cluster wait for the first', async () => {
  await pod('p');
  await expect.poll(() => whyNot('p'), soon).toBe('no nodes available to schedule pods');
  const first = await node('first');
  await expect.poll(() => nodeOf('p'), soon).toBe(first);
});

test('pods of another scheduler and pods with gates are left alone', async () => {
  const only = await node('a');
  await pod('other', { schedulerName: 'mine' });
  await pod('gated', { schedulingGates: [{ name: 'example.com/wait' }] });
  await pod('plain');
  await expect.poll(() => nodeOf('plain'), soon).toBe(only);
  expect(await nodeOf('other')).toBeUndefined();
  expect(await nodeOf('gated')).toBeUndefined();
  await server.ask('PATCH', `${pods}/gated`, { spec: { schedulingGates: null } }, merge);
  await expect.poll(() => nodeOf('gated'), soon).toBe(only);
});

test('many pods at once fill the nodes, and none of them is overfull', async () => {
  for (const name of ['a', 'b', 'c']) await node(name, { cpu: '2' });
  await Promise.all(Array.from({ length: 40 }, (_, index) => pod(`p${index}`, asking('250m'))));
  const placed = async () => {
    const { items } = (await server.ask('GET', pods)).json as unknown as { items: SeenPod[] };
    return items.map(({ spec }) => spec.nodeName).filter((name) => name !== undefined);
  };
  await expect.poll(async () => (await placed()).length, soon).toBe(24);
  const counts = new Map<string, number>();
  for (const name of await placed()) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect([...counts.values()]).toEqual([8, 8, 8]);
});

describe('preemption', () => {
  beforeAll(async () => {
    await server.make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 });
  });

  test('a more important pod takes the place of a less important one, which is told', async () => {
    const only = await node('a', { cpu: '1' });
    await pod('low', asking('1'));
    await expect.poll(() => nodeOf('low'), soon).toBe(only);
    await pod('high', { ...asking('1'), priorityClassName: 'high' });
    await expect.poll(() => nodeOf('high'), soon).toBe(only);
    expect((await server.ask('GET', `${pods}/low`)).code).toBe(404);
    const { uid } = (await server.ask('GET', `${pods}/high`)).json.metadata;
    const said = { reason: 'Preempted', type: 'Normal', action: 'Preempting', note: `Preempted by pod ${uid} on node ${only}` };
    await expect.poll(() => events('low'), soon).toContainEqual(expect.objectContaining({ ...said, related: expect.objectContaining({ name: 'high' }) }));
  });

  test('pods that nobody guards go first', async () => {
    const labels = { app: 'guarded' };
    await node('a', { cpu: '1' });
    await pod('guarded', asking('1'), { labels });
    await expect.poll(() => nodeOf('guarded'), soon).toBeDefined();
    const other = await node('b', { cpu: '1' });
    await pod('free', asking('1'));
    await expect.poll(() => nodeOf('free'), soon).toBe(other);
    await server.make(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, {
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
    await pod('high', { ...asking('1'), priorityClassName: 'high' });
    await expect.poll(() => nodeOf('high'), soon).toBe(other);
    expect(await nodeOf('guarded')).toBeDefined();
  });

  test('a pod that may not preempt says so', async () => {
    await node('a', { cpu: '1' });
    await pod('low', asking('1'));
    await expect.poll(() => nodeOf('low'), soon).toBeDefined();
    await server.make('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'patient' }, value: 1000, preemptionPolicy: 'Never' });
    await pod('patient', { ...asking('1'), priorityClassName: 'patient' });
    await expect.poll(() => whyNot('patient'), soon).toContain('preemption: not eligible due to preemptionPolicy=Never.');
  });
});

test('a claim that waits for its first consumer gets a volume of the chosen node before the pod is bound', async () => {
  await node('a');
  const home = await node('b');
  await server.make('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'local' },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  const onHome = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [home] }] };
  const size = { storage: '1Gi' };
  const spec = { capacity: size, accessModes: ['ReadWriteOnce'], storageClassName: 'local', nodeAffinity: { required: { nodeSelectorTerms: [onHome] } } };
  await server.make('/api/v1/persistentvolumes', { metadata: { name: 'v' }, spec: { ...spec, local: { path: '/v' } } });
  await server.ask('PATCH', '/api/v1/persistentvolumes/v/status', { status: { phase: 'Available' } }, merge);
  const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
  const wanted = { accessModes: ['ReadWriteOnce'], storageClassName: 'local', resources: { requests: size } };
  await server.make(claims, { metadata: { name: 'data' }, spec: wanted });
  await pod('p', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  const volume = async () => (await server.ask('GET', '/api/v1/persistentvolumes/v')).json as unknown as { spec: { claimRef?: object } };
  await expect.poll(async () => (await volume()).spec.claimRef, soon).toMatchObject({ namespace, name: 'data' });
  expect(await nodeOf('p')).toBeUndefined();
  expect((await seen('p')).status.nominatedNodeName).toBe(home);
  // What the controller of volumes does.
  const bound = { metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }, spec: { volumeName: 'v' } };
  await server.ask('PATCH', `${claims}/data`, bound, merge);
  await expect.poll(() => nodeOf('p'), soon).toBe(home);
  await server.ask('DELETE', '/api/v1/persistentvolumes/v');
});

test('a claim of devices is allocated on a node that has them and reserved for the pod; the next one waits until they are free', async () => {
  await node('a');
  const home = await node('b');
  const group = '/apis/resource.k8s.io/v1';
  await server.make(`${group}/deviceclasses`, {
    metadata: { name: 'gpu' },
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  });
  const device = (name: string, model: string) => ({ name, attributes: { model: { string: model } } });
  const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
  const devices = [device('first', 'old'), device('second', 'new')];
  await server.make(`${group}/resourceslices`, { metadata: { name: 's' }, spec: { driver: 'gpu.example.com', nodeName: home, pool, devices } });
  const exactly = { deviceClassName: 'gpu', selectors: [{ cel: { expression: 'device.attributes["gpu.example.com"].model == "new"' } }] };
  const claims = `${group}/namespaces/${namespace}/resourceclaims`;
  for (const name of ['one', 'two']) {
    await server.make(claims, { metadata: { name }, spec: { devices: { requests: [{ name: 'r', exactly }] } } });
    await pod(name, { resourceClaims: [{ name: 'c', resourceClaimName: name }] });
    if (name === 'one') await expect.poll(() => nodeOf('one'), soon).toBe(home);
  }
  const { uid } = (await server.ask('GET', `${pods}/one`)).json.metadata;
  const results = [{ request: 'r', driver: 'gpu.example.com', pool: 'p', device: 'second' }];
  const status = { allocation: { devices: { results } }, reservedFor: [{ resource: 'pods', name: 'one', uid }] };
  expect((await server.ask('GET', `${claims}/one`)).json).toMatchObject({ metadata: { finalizers: ['resource.kubernetes.io/delete-protection'] }, status });
  await expect.poll(() => whyNot('two'), soon).toContain('2 cannot allocate all claims. still not schedulable');
  // What the controller of claims does when the pod is gone.
  await server.ask('DELETE', `${pods}/one`);
  await server.ask('PATCH', `${claims}/one/status`, { status: { allocation: null, reservedFor: null } }, merge);
  await expect.poll(() => nodeOf('two'), soon).toBe(home);
  await server.ask('DELETE', `${group}/resourceslices/s`);
});

test('attempts, their results and the pods that wait are counted by the names of the original', async () => {
  const numberOf = async (series: string) => {
    const line = (await server.ask('GET', '/metrics')).text.split('\n').find((one) => one.startsWith(`${series} `));
    return Number(line?.split(' ')[1] ?? 0);
  };
  const attempts = (result: string) => numberOf(`scheduler_schedule_attempts_total{profile="default-scheduler",result="${result}"}`);
  const [scheduled, unschedulable, tries] = [
    await attempts('scheduled'),
    await attempts('unschedulable'),
    await numberOf('scheduler_pod_scheduling_attempts_count'),
  ];
  await node('small', { cpu: '1' });
  await pod('fits', asking('1'));
  await expect.poll(() => nodeOf('fits'), soon).toBeDefined();
  await pod('waits', asking('1'));
  await expect.poll(() => whyNot('waits'), soon).toContain('Insufficient cpu');
  await expect.poll(() => attempts('scheduled'), soon).toBe(scheduled + 1);
  expect(await attempts('unschedulable')).toBeGreaterThan(unschedulable);
  expect(await numberOf('scheduler_pod_scheduling_attempts_count')).toBe(tries + 1);
  expect(await numberOf('scheduler_pending_pods{queue="unschedulable"}')).toBeGreaterThan(0);
  expect(await numberOf('scheduler_preemption_attempts_total')).toBeGreaterThan(0);
});

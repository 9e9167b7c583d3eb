// What the plugins of pods, nodes, services and volumes do on update, and what they leave alone. All plugins that have no trouble with each other run together.
import { beforeAll, describe, expect, test } from 'vitest';
import { apiUnderTest, mergePatch, mistake, strategicPatch } from '../../../test/support/api-under-test.ts';

const plugins =
  'AlwaysPullImages,PodNodeSelector,PodTolerationRestriction,ExtendedResourceToleration,DenyServiceExternalIPs,NamespaceAutoProvision,NamespaceExists,' +
  'LimitPodHardAntiAffinityTopology';
const api = apiUnderTest(`--enable-admission-plugins=${plugins}`);
const run = Math.random().toString(36).slice(2, 8);
let namespace = '';
let pods = '';
let serial = 0;

beforeAll(async () => {
  namespace = await api.namespace();
  pods = `/api/v1/namespaces/${namespace}/pods`;
});

interface Pod {
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec: {
    readonly containers: { readonly imagePullPolicy: string }[];
    readonly initContainers: { readonly imagePullPolicy: string }[];
    readonly volumes: { readonly image: { readonly pullPolicy: string } }[];
    readonly tolerations: { readonly key: string }[];
  };
}

async function createPod(spec: object = {}, { metadata = {}, path = pods }: { metadata?: object; path?: string } = {}) {
  const body = { metadata: { name: `p${serial++}`, ...metadata }, spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec } };
  const { code, body: answer, text } = await api.ask('POST', path, body);
  return { code, message: answer.message, text, pod: answer as unknown as Pod };
}

async function annotated(key: string, value: string): Promise<string> {
  const name = await api.namespace();
  await api.ask('PATCH', `/api/v1/namespaces/${name}`, { metadata: { annotations: { [`scheduler.alpha.kubernetes.io/${key}`]: value } } }, mergePatch);
  return `/api/v1/namespaces/${name}/pods`;
}

describe('AlwaysPullImages', () => {
  test('init containers and image volumes are pulled too', async () => {
    const initContainers = [{ name: 'i', image: 'i:1', imagePullPolicy: 'Never' }];
    const { pod } = await createPod({ initContainers, volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'Never' } }] });
    const { containers, initContainers: first, volumes } = pod.spec;
    expect([containers[0]?.imagePullPolicy, first[0]?.imagePullPolicy, volumes[0]?.image.pullPolicy]).toEqual(['Always', 'Always', 'Always']);
  });
});

describe('ExtendedResourceToleration', () => {
  const asking = (name: string) => ({ resources: { requests: { [name]: '1' }, limits: { [name]: '1' } } });
  const taken = (pod: Pod) => pod.spec.tolerations.map(({ key }) => key).filter((key) => !key.startsWith('node.kubernetes.io/'));

  test('the devices of all containers count once each, by name', async () => {
    const initContainers = [{ name: 'i', image: 'i', ...asking('b.com/x') }];
    const containers = ['a.com/x', 'b.com/x'].map((name, index) => ({ name: `c${index}`, image: 'i', ...asking(name) }));
    expect(taken((await createPod({ initContainers, containers })).pod)).toEqual(['a.com/x', 'b.com/x']);
  });

  test('what every node has is no device', async () => {
    expect(taken((await createPod({ containers: [{ name: 'c', image: 'i', ...asking('cpu') }] })).pod)).toEqual([]);
  });
});

test('LimitPodHardAntiAffinityTopology: wishes are free', async () => {
  const term = { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } };
  const wish = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] };
  expect((await createPod({ affinity: { podAntiAffinity: wish, podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } })).code).toBe(201);
});

test.each([
  ['a=b,zone', 'invalid selector: [zone]'],
  ['a=b=c', 'invalid selector: [a b c]'],
])('PodNodeSelector: the annotation %j is no selector', async (value, message) => {
  const refused = await createPod({}, { path: await annotated('node-selector', value) });
  expect([refused.code, refused.message]).toEqual([mistake, message]);
});

describe('PodTolerationRestriction', () => {
  const conflict = 'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist';

  test('what the namespace does not list is refused', async () => {
    const path = await annotated('tolerationsWhitelist', '[{"key":"a","operator":"Exists"}]');
    const refused = await createPod({}, { path });
    expect([refused.code, refused.message]).toEqual([mistake, conflict]);
  });

  test('an empty list allows everything', async () => {
    const path = await annotated('tolerationsWhitelist', '[]');
    expect((await createPod({ tolerations: [{ key: 'b', operator: 'Exists' }] }, { path })).code).toBe(201);
  });
});

test('DenyServiceExternalIPs: an update adds none either', async () => {
  const services = `/api/v1/namespaces/${namespace}/services`;
  await api.make(services, { metadata: { name: 's' }, spec: { ports: [{ port: 1 }] } });
  const { code, body } = await api.ask('PATCH', `${services}/s`, { spec: { externalIPs: ['1.2.3.4'] } }, mergePatch);
  expect([code, body.message]).toEqual([403, 'services "s" is forbidden: Use of external IPs is denied by admission control']);
  expect((await api.ask('PATCH', `${services}/s`, { metadata: { labels: { a: 'b' } } }, mergePatch)).code).toBe(200);
});

test('NamespaceAutoProvision: a dry run makes no namespace', async () => {
  const name = `dry-${run}`;
  const { code, body } = await api.ask('POST', `/api/v1/namespaces/${name}/configmaps?dryRun=All`, { metadata: { name: 'c' } });
  expect([code, body.message]).toEqual([404, `namespaces "${name}" not found`]);
  expect((await api.get(`/api/v1/namespaces/${name}`)).code).toBe(404);
});

describe('updates of a pod', () => {
  test('what was filled in may be left out later', async () => {
    const { pod } = await createPod();
    const { body: stored } = await api.get(`${pods}/${pod.metadata.name}`);
    const { priority, preemptionPolicy, ...spec } = stored.spec as unknown as Record<string, unknown>;
    const { code, body } = await api.ask('PUT', `${pods}/${pod.metadata.name}`, { ...stored, spec });
    expect([code, body.spec]).toMatchObject([200, { priority, preemptionPolicy }]);
  });

  test('a runtime class that is gone does not matter any more', async () => {
    const classes = '/apis/node.k8s.io/v1/runtimeclasses';
    await api.make(classes, { metadata: { name: `rc-${run}` }, handler: 'h', overhead: { podFixed: { cpu: '1m' } } });
    const { pod } = await createPod({ runtimeClassName: `rc-${run}` });
    await api.ask('DELETE', `${classes}/rc-${run}`);
    expect((await api.ask('PATCH', `${pods}/${pod.metadata.name}`, { metadata: { labels: { a: 'b' } } }, mergePatch)).code).toBe(200);
  });
});

describe('nodes', () => {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const makeNode = (metadata: object = {}, spec: object = {}) => api.make('/api/v1/nodes', { metadata: { name: `n-${run}-${serial++}`, ...metadata }, spec });

  test('TaintNodesByCondition: the taint comes once, and does not come back', async () => {
    const { metadata, spec } = await makeNode({}, { taints: [{ key: 'a', effect: 'NoExecute' }, taint] });
    expect(spec).toMatchObject({ taints: [{ key: 'a' }, { key: taint.key }] });
    const { body } = await api.ask('PATCH', `/api/v1/nodes/${metadata.name}`, { spec: { taints: null } }, mergePatch);
    expect(body.spec).not.toHaveProperty('taints');
  });

  test('PodTopologyLabels: the node knows better than the pod; without a node the pod keeps its labels', async () => {
    const zone = 'topology.kubernetes.io/zone';
    const { metadata } = await makeNode({ labels: { [zone]: 'z' } });
    const labels = { [zone]: 'own', a: 'b' };
    expect((await createPod({ nodeName: metadata.name }, { metadata: { labels } })).pod.metadata.labels).toEqual({ [zone]: 'z', a: 'b' });
    expect((await createPod({}, { metadata: { labels } })).pod.metadata.labels).toEqual(labels);
  });

  const resources = (cpu: string) => ({ resources: { requests: { cpu } } });
  test('PodResizeValidator: only on a Linux node that is there', async () => {
    const { metadata } = await makeNode({ labels: { 'kubernetes.io/os': 'windows' } });
    for (const [nodeName, why] of [
      [metadata.name, `pod resize is only supported on linux nodes, node "${metadata.name}" is "windows"`],
      ['nowhere', 'node "nowhere" not found'],
    ]) {
      const { pod } = await createPod({ nodeName, containers: [{ name: 'c', image: 'i', ...resources('1m') }] });
      const { name } = pod.metadata;
      const { code, body } = await api.ask('PATCH', `${pods}/${name}/resize`, { spec: { containers: [{ name: 'c', ...resources('2m') }] } }, strategicPatch);
      expect([code, body.message]).toEqual([403, `pods "${name}" is forbidden: ${why}`]);
    }
  });
});

describe('StorageObjectInUseProtection', () => {
  const volume = { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], nfs: { server: 'a', path: '/' } };

  test('volumes and attribute classes are protected once', async () => {
    const path = '/api/v1/persistentvolumes';
    const finalizer = 'kubernetes.io/pv-protection';
    for (const [name, finalizers] of [
      ['a', []],
      ['b', [finalizer]],
    ] as const) {
      expect((await api.make(path, { metadata: { name: `${name}-${run}`, finalizers }, spec: volume })).metadata.finalizers).toEqual([finalizer]);
    }
    const made = await api.make('/apis/storage.k8s.io/v1/volumeattributesclasses', { metadata: { name: run }, driverName: 'd', parameters: { a: 'b' } });
    expect(made.metadata.finalizers).toEqual(['kubernetes.io/vac-protection']);
  });

  test('an update does not bring the finalizer back', async () => {
    const { metadata } = await api.make('/api/v1/persistentvolumes', { metadata: { name: `c-${run}` }, spec: volume });
    const { body } = await api.ask('PATCH', `/api/v1/persistentvolumes/${metadata.name}`, { metadata: { finalizers: null } }, mergePatch);
    expect(body.metadata.finalizers).toBeUndefined();
  });
});

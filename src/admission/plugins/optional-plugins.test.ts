// The plugins that run only when asked for.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let server: ServerInTest;
let serial = 0;
const file = join(tmpdir(), `binnacle-optional-plugins-${process.pid}.yaml`);
const plugins =
  'AlwaysAdmit,NodeRestriction,OwnerReferencesPermissionEnforcement,AlwaysPullImages,PodNodeSelector,PodTolerationRestriction,ExtendedResourceToleration,EventRateLimit,' +
  'DenyServiceExternalIPs,NamespaceAutoProvision,NamespaceExists,LimitPodHardAntiAffinityTopology';
const users = ['node-a,system:node:a,3,system:nodes', 'owner,owner,4', 'deleter,deleter,5'].join('\n');

beforeAll(async () => {
  const limits =
    '{ kind: Configuration, apiVersion: eventratelimit.admission.k8s.io/v1alpha1, limits: [{ type: Namespace, qps: 1, burst: 2, cacheSize: 10 }, { type: User, qps: 1, burst: 100 }] }';
  const selectors = '{ podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "pool=any", listed: "pool=any" } }';
  const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: EventRateLimit\n  configuration: ${limits}\n- name: PodNodeSelector\n  configuration: ${selectors}\n`;
  writeFileSync(file, config);
  server = await ServerInTest.start({ users: `${users}\n`, flags: [`--enable-admission-plugins=${plugins}`, `--admission-control-config-file=${file}`] });
});
afterAll(() => server[Symbol.asyncDispose]());

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly containers: { imagePullPolicy: string }[]; readonly nodeSelector: object; readonly tolerations: object[] };
}

async function namespaceWith(annotations: Record<string, string>): Promise<string> {
  const name = `ns-${serial++}`;
  await server.make('/api/v1/namespaces', { metadata: { name, annotations } });
  return name;
}

async function createPod(namespace: string, spec: object = {}) {
  const body = { metadata: { name: `p${serial++}` }, spec: { containers: [{ name: 'c', image: 'i:1', imagePullPolicy: 'Never' }], ...spec } };
  const { code, json } = await server.ask('POST', `/api/v1/namespaces/${namespace}/pods`, body);
  return { code, message: json.message, pod: json as unknown as Pod };
}

test('NamespaceAutoProvision makes the namespace of the first object', async () => {
  expect((await server.ask('POST', '/api/v1/namespaces/unheard-of/configmaps', { metadata: { name: 'c' } })).code).toBe(201);
  expect((await server.ask('GET', '/api/v1/namespaces/unheard-of')).code).toBe(200);
});

test('AlwaysPullImages overrides the policy', async () => {
  expect((await createPod('default')).pod.spec.containers[0]?.imagePullPolicy).toBe('Always');
});

describe('PodNodeSelector', () => {
  const annotation = 'scheduler.alpha.kubernetes.io/node-selector';
  test('pods take the selector of the namespace, or that of the cluster', async () => {
    const namespace = await namespaceWith({ [annotation]: 'pool=blue, disk=fast' });
    expect((await createPod(namespace, { nodeSelector: { own: 'x' } })).pod.spec.nodeSelector).toEqual({ pool: 'blue', disk: 'fast', own: 'x' });
    expect((await createPod('default')).pod.spec.nodeSelector).toEqual({ pool: 'any' });
  });

  test('a pod that wants something else is refused', async () => {
    const namespace = await namespaceWith({ [annotation]: 'pool=blue' });
    expect((await createPod(namespace, { nodeSelector: { pool: 'red' } })).message).toContain(
      'pod node label selector conflicts with its namespace node label selector',
    );
    expect((await createPod('listed', { nodeSelector: { other: 'x' } })).message).toContain(
      'pod node label selector labels conflict with its namespace whitelist',
    );
  });
});

describe('PodTolerationRestriction', () => {
  const [defaults, allowed] = ['scheduler.alpha.kubernetes.io/defaultTolerations', 'scheduler.alpha.kubernetes.io/tolerationsWhitelist'];
  test('pods tolerate what the namespace tolerates', async () => {
    const namespace = await namespaceWith({ [defaults]: '[{"key":"a","operator":"Exists"}]' });
    expect((await createPod(namespace)).pod.spec.tolerations).toContainEqual({ key: 'a', operator: 'Exists' });
  });

  test('pods tolerate nothing that the namespace does not list', async () => {
    const namespace = await namespaceWith({
      [allowed]: '[{"key":"node.kubernetes.io/not-ready","operator":"Exists"},{"key":"node.kubernetes.io/unreachable","operator":"Exists"}]',
    });
    expect((await createPod(namespace)).code).toBe(201);
    expect((await createPod(namespace, { tolerations: [{ key: 'b', operator: 'Exists' }] })).message).toContain('conflict with its namespace whitelist');
  });

  test('a pod that asks for memory tolerates pressure on it', async () => {
    const containers = [{ name: 'c', image: 'i', resources: { requests: { memory: '1Mi' } } }];
    expect((await createPod('default', { containers })).pod.spec.tolerations).toContainEqual({
      key: 'node.kubernetes.io/memory-pressure',
      operator: 'Exists',
      effect: 'NoSchedule',
    });
  });
});

test('ExtendedResourceToleration: a pod with a device tolerates the taint of its nodes', async () => {
  const resources = { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } };
  const { pod } = await createPod('default', { containers: [{ name: 'c', image: 'i', resources }] });
  expect(pod.spec.tolerations).toContainEqual({ key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
});

test('LimitPodHardAntiAffinityTopology: nobody claims a zone', async () => {
  const affinity = (topologyKey: string) => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { a: 'b' } } }] } },
  });
  expect((await createPod('default', affinity('kubernetes.io/hostname'))).code).toBe(201);
  expect((await createPod('default', affinity('zone'))).message).toContain('has TopologyKey zone but only key kubernetes.io/hostname is allowed');
});

test('DenyServiceExternalIPs: no new external addresses', async () => {
  const service = (name: string, spec: object) => ({ metadata: { name }, spec: { ports: [{ port: 1 }], ...spec } });
  const path = '/api/v1/namespaces/default/services';
  expect((await server.ask('POST', path, service('a', {}))).code).toBe(201);
  expect((await server.ask('POST', path, service('b', { externalIPs: ['1.2.3.4'] }))).json.message).toContain(
    'Use of external IPs is denied by admission control',
  );
});

test('EventRateLimit: a namespace that is too loud is told so', async () => {
  const namespace = await namespaceWith({});
  const event = () => ({ metadata: { name: `e${serial++}`, namespace }, involvedObject: { kind: 'Pod', namespace, name: 'p' }, reason: 'r' });
  const codes: number[] = [];
  for (let count = 0; count < 4; count++) codes.push((await server.ask('POST', `/api/v1/namespaces/${namespace}/events`, event())).code);
  expect(codes.slice(0, 2)).toEqual([201, 201]);
  expect(codes).toContain(429);
});

describe('OwnerReferencesPermissionEnforcement', () => {
  const reference = (blockOwnerDeletion: boolean) => [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', blockOwnerDeletion }];
  beforeAll(async () => {
    const role = (name: string, verbs: string[]) =>
      server.make('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
        metadata: { name },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }],
      });
    const bind = (name: string) =>
      server.make('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
        metadata: { name },
        subjects: [{ kind: 'User', name, apiGroup: 'rbac.authorization.k8s.io' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      });
    await role('owner', ['create', 'patch', 'get']);
    await role('deleter', ['create', 'patch', 'get', 'delete']);
    await Promise.all([bind('owner'), bind('deleter')]);
    await server.make('/api/v1/namespaces/default/configmaps', { metadata: { name: 'owned' } });
  });

  test('blocking an owner takes the right to its finalizers', async () => {
    const make = (block: boolean) =>
      server.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: `c-${block}`, ownerReferences: reference(block) } }, { token: 'owner' });
    expect((await make(false)).code).toBe(201);
    const { code, json } = await make(true);
    expect(code).toBe(403);
    expect(json.message).toContain("cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on");
  });

  test('changing owners takes the right to delete', async () => {
    const change = (token: string) =>
      server.ask(
        'PATCH',
        '/api/v1/namespaces/default/configmaps/owned',
        { metadata: { ownerReferences: reference(false) } },
        { token, type: 'application/merge-patch+json' },
      );
    expect((await change('owner')).json.message).toContain("cannot set an ownerRef on a resource you can't delete");
    expect((await change('deleter')).code).toBe(200);
  });
});

describe('NodeRestriction', () => {
  const asNode = { token: 'node-a' };
  const merge = { ...asNode, type: 'application/merge-patch+json' };

  beforeAll(async () => {
    await server.make('/api/v1/nodes', { metadata: { name: 'a' } });
    await server.make('/api/v1/nodes', { metadata: { name: 'b' } });
  });

  test.each([
    ['b', { metadata: { labels: { x: 'y' } } }, 'node "a" is not allowed to modify node "b"'],
    ['a', { spec: { taints: [] } }, 'node "a" is not allowed to modify taints'],
    ['a', { metadata: { labels: { 'node-restriction.kubernetes.io/x': 'y' } } }, 'is not allowed to modify labels: node-restriction.kubernetes.io/x'],
    ['a', { metadata: { labels: { 'foo.k8s.io/x': 'y' } } }, 'is not allowed to modify labels: foo.k8s.io/x'],
    ['a', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } }, 'node "a" is not allowed to modify ownerReferences'],
  ])('node a may not change node %s with %j', async (name, patch, why) => {
    const { code, json } = await server.ask('PATCH', `/api/v1/nodes/${name}`, patch, merge);
    expect(code).toBe(403);
    expect(json.message).toContain(why);
  });

  test('a node labels itself', async () => {
    const labels = { 'kubernetes.io/arch': 'arm64', 'node.kubernetes.io/x': 'y', plain: 'z' };
    expect((await server.ask('PATCH', '/api/v1/nodes/a', { metadata: { labels } }, merge)).code).toBe(200);
  });

  test('a node creates only mirrors of its own pods', async () => {
    const body = { metadata: { name: 'm' }, spec: { nodeName: 'a', containers: [{ name: 'c', image: 'i' }] } };
    const { json } = await server.ask('POST', '/api/v1/namespaces/default/pods', body, asNode);
    expect(json.message).toBe('pods "m" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "a" can only create mirror pods');
  });
});

test.each([
  [['--enable-admission-plugins=NoSuch'], 'enable-admission-plugins plugin "NoSuch" is unknown'],
  [['--disable-admission-plugins=NoSuch'], 'disable-admission-plugins plugin "NoSuch" is unknown'],
  [
    ['--enable-admission-plugins=Priority', '--disable-admission-plugins=Priority'],
    '[Priority] in enable-admission-plugins and disable-admission-plugins overlapped',
  ],
  [['--enable-admission-plugins=EventRateLimit'], 'must not be empty'],
])('a server with %j does not start', async (flags, why) => {
  await expect(ServerInTest.start({ flags })).rejects.toThrow(why);
});

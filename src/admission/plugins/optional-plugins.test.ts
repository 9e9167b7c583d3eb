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

beforeAll(async () => {
  const limits =
    '{ kind: Configuration, apiVersion: eventratelimit.admission.k8s.io/v1alpha1, limits: [{ type: Namespace, qps: 1, burst: 2, cacheSize: 10 }, { type: User, qps: 1, burst: 100 }] }';
  const selectors = '{ podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "pool=any", listed: "pool=any" } }';
  const config = `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: EventRateLimit\n  configuration: ${limits}\n- name: PodNodeSelector\n  configuration: ${selectors}\n`;
  writeFileSync(file, config);
  server = await ServerInTest.start({ flags: [`--enable-admission-plugins=${plugins}`, `--admission-control-config-file=${file}`] });
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

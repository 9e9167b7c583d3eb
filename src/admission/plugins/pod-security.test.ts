import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let server: ServerInTest;
let serial = 0;
const file = join(tmpdir(), `binnacle-pod-security-${process.pid}.yaml`);

const configuration = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {}
    exemptions: { usernames: [trusted], namespaces: [free, also-free], runtimeClasses: [] }
`;

beforeAll(async () => {
  writeFileSync(file, configuration);
  server = await ServerInTest.start({ users: 'trusted,trusted,2,system:masters\n', flags: [`--admission-control-config-file=${file}`] });
});
afterAll(() => server[Symbol.asyncDispose]());

async function labelled(labels: Record<string, string>, name = `ps-${serial++}`): Promise<string> {
  await server.make('/api/v1/namespaces', { metadata: { name, labels: prefixed(labels) } });
  return name;
}

function prefixed(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value]));
}

const hostPid = { hostPID: true, containers: [{ name: 'c', image: 'i' }] };
const finding = 'violate PodSecurity "baseline:latest": host namespaces (hostPID=true)';
const template = { metadata: { labels: { a: 'b' } }, spec: hostPid };
const selector = { matchLabels: { a: 'b' } };
const job = { template: { spec: { ...hostPid, restartPolicy: 'Never' } } };

const workloads: readonly (readonly [string, string, object])[] = [
  ['/api/v1', 'replicationcontrollers', { spec: { selector: { a: 'b' }, template } }],
  ['/api/v1', 'podtemplates', { template }],
  ['/apis/apps/v1', 'replicasets', { spec: { selector, template } }],
  ['/apis/apps/v1', 'deployments', { spec: { selector, template } }],
  ['/apis/apps/v1', 'statefulsets', { spec: { serviceName: 's', selector, template } }],
  ['/apis/apps/v1', 'daemonsets', { spec: { selector, template } }],
  ['/apis/batch/v1', 'jobs', { spec: job }],
  ['/apis/batch/v1', 'cronjobs', { spec: { schedule: '* * * * *', jobTemplate: { spec: job } } }],
];

test.each(workloads)('in %s the template of %s is warned about, not refused', async (root, resource, object) => {
  const namespace = await labelled({ enforce: 'baseline' });
  const { code, headers } = await server.ask('POST', `${root}/namespaces/${namespace}/${resource}`, { metadata: { name: 'w' }, ...object });
  expect(code).toBe(201);
  expect(String(headers['warning']).replaceAll('\\"', '"')).toContain(`would ${finding}`);
});

test('a pod is refused by what is enforced', async () => {
  const namespace = await labelled({ enforce: 'baseline' });
  const { code, json } = await server.ask('POST', `/api/v1/namespaces/${namespace}/pods`, { metadata: { name: 'p' }, spec: hostPid });
  expect([code, json.message]).toEqual([403, `pods "p" is forbidden: violates${finding.slice('violate'.length)}`]);
});

test('a pod is only warned about when nothing is enforced', async () => {
  const namespace = await labelled({ warn: 'baseline' });
  const { code, headers } = await server.ask('POST', `/api/v1/namespaces/${namespace}/pods`, { metadata: { name: 'p' }, spec: hostPid });
  expect(code).toBe(201);
  expect(String(headers['warning']).replaceAll('\\"', '"')).toContain(`would ${finding}`);
});

test('users and namespaces that are exempt are left alone', async () => {
  const namespace = await labelled({ enforce: 'baseline' });
  const free = await labelled({ enforce: 'baseline' }, 'free');
  const body = { metadata: { name: 'p' }, spec: hostPid };
  expect((await server.ask('POST', `/api/v1/namespaces/${namespace}/pods`, body, { token: 'trusted' })).code).toBe(201);
  expect((await server.ask('POST', `/api/v1/namespaces/${free}/pods`, body)).code).toBe(201);
});

test('ephemeral containers are judged, other changes of a running pod are not', async () => {
  const namespace = await labelled({});
  const path = `/api/v1/namespaces/${namespace}/pods/p`;
  await server.make(`/api/v1/namespaces/${namespace}/pods`, { metadata: { name: 'p' }, spec: hostPid });
  const merge = { type: 'application/merge-patch+json' };
  await server.ask('PATCH', `/api/v1/namespaces/${namespace}`, { metadata: { labels: prefixed({ enforce: 'baseline' }) } }, merge);
  expect((await server.ask('PATCH', path, { metadata: { labels: { a: 'b' } } }, merge)).code).toBe(200);
  const debug = { spec: { ephemeralContainers: [{ name: 'd', image: 'i' }] } };
  const { code, json } = await server.ask('PATCH', `${path}/ephemeralcontainers`, debug, { type: 'application/strategic-merge-patch+json' });
  expect([code, json.message]).toEqual([403, `pods "p" is forbidden: violates${finding.slice('violate'.length)}`]);
});

test('a stricter label warns of the pods that are there', async () => {
  const namespace = await labelled({});
  for (const name of ['b', 'a']) await server.make(`/api/v1/namespaces/${namespace}/pods`, { metadata: { name }, spec: hostPid });
  const labels = { metadata: { labels: prefixed({ enforce: 'baseline' }) } };
  const { headers } = await server.ask('PATCH', `/api/v1/namespaces/${namespace}`, labels, { type: 'application/merge-patch+json' });
  const warning = String(headers['warning']).replaceAll('\\"', '"');
  expect(warning).toContain(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "baseline:latest"`);
  expect(warning).toContain('a (and 1 other pod): host namespaces');
});

test('labels that mean nothing are refused', async () => {
  const { code, json } = await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'bad', labels: prefixed({ enforce: 'strict' }) } });
  expect(code).toBe(422);
  expect(json.message).toContain('Invalid value: "strict": must be one of privileged, baseline, restricted');
});

test('labels of an exempt namespace are said to mean nothing', async () => {
  const told = async (method: string, path: string, labels: Record<string, string>, name: string) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { headers } = await server.ask(method, path, { metadata: { name, labels: prefixed(labels) } }, { type });
    return String(headers['warning'] ?? '').replaceAll('\\"', '"');
  };
  const ignored = (policy: string) => `namespace "also-free" is exempt from Pod Security, and the policy (${policy}) will be ignored`;
  const create = (labels: Record<string, string>) => told('POST', '/api/v1/namespaces?dryRun=All', labels, 'also-free');
  expect(await create({ enforce: 'baseline' })).toContain(ignored('enforce=baseline:latest'));
  expect(await create({ audit: 'baseline', warn: 'restricted', 'warn-version': 'v1.30' })).toContain(ignored('audit=baseline:latest, warn=restricted:v1.30'));
  expect(await create({ enforce: 'privileged' })).toBe('');
  expect(await create({})).toBe('');
  await server.make('/api/v1/namespaces', { metadata: { name: 'also-free' } });
  expect(await told('PATCH', '/api/v1/namespaces/also-free', { enforce: 'baseline' }, 'also-free')).toContain(ignored('enforce=baseline:latest'));
  expect(await told('PATCH', '/api/v1/namespaces/also-free', { warn: 'restricted' }, 'also-free')).toBe('');
});

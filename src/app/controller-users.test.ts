import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=*'] });
});
afterAll(() => server[Symbol.asyncDispose]());

/** Controllers begin one by one, and the machine may be busy. */
const soon = { timeout: 20_000, interval: 30 };

interface Owned {
  readonly metadata: { readonly managedFields?: readonly { readonly manager: string }[] };
}

async function managersOf(path: string): Promise<readonly string[]> {
  const { json } = await server.ask('GET', path);
  return ((json as unknown as Owned).metadata.managedFields ?? []).map(({ manager }) => manager);
}

test('what a controller writes is its own: its service account may, and the fields are managed as in the original', async () => {
  await server.make('/api/v1/namespaces', { metadata: { name: 'kept' } });
  await server.make('/api/v1/namespaces/kept/resourcequotas', { metadata: { name: 'q' }, spec: { hard: { pods: '1' } } });
  await expect.poll(() => managersOf('/api/v1/namespaces/kept/configmaps/kube-root-ca.crt'), soon).toEqual(['kube-controller-manager']);
  await expect.poll(() => managersOf('/api/v1/namespaces/kept/resourcequotas/q'), soon).toContain('kube-controller-manager');
});

test('a controller whose role was taken away is refused like any user', async () => {
  await server.ask('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/system:controller:service-account-controller');
  await server.make('/api/v1/namespaces', { metadata: { name: 'without' } });
  await expect.poll(() => managersOf('/api/v1/namespaces/without/configmaps/kube-root-ca.crt'), soon).not.toEqual([]);
  const refused = /apiserver_request_total\{[^}]*code="403"[^}]*resource="serviceaccounts"[^}]*verb="POST"/;
  await expect.poll(async () => (await server.ask('GET', '/metrics')).text).toMatch(refused);
  expect((await server.ask('GET', '/api/v1/namespaces/without/serviceaccounts/default')).code).toBe(404);
});

test('requests of controllers and their queues are measured', async () => {
  const { text } = await server.ask('GET', '/metrics');
  expect(text).toMatch(/workqueue_adds_total\{name="resourcequota_primary"\} [1-9]/);
  expect(text).toMatch(/apiserver_request_total\{[^}]*resource="configmaps"[^}]*verb="POST"[^}]*\} [1-9]/);
});

test('the loops of custom resource definitions have the queues of the original', async () => {
  const names = { plural: 'gauges', singular: 'gauge', kind: 'Gauge', listKind: 'GaugeList' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const spec = { group: 'queues.example', scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await server.make(definitions, { metadata: { name: 'gauges.queues.example' }, spec });
  await expect.poll(async () => (await server.ask('GET', '/apis/queues.example/v1/gauges')).code).toBe(200);
  await server.ask('DELETE', `${definitions}/gauges.queues.example`);
  await expect.poll(async () => (await server.ask('GET', `${definitions}/gauges.queues.example`)).code).toBe(404);
  const { text } = await server.ask('GET', '/metrics');
  for (const queue of ['crd_naming_condition_controller', 'crdEstablishing', 'crd_finalizer', 'crd_autoregistration_controller']) {
    expect(text).toMatch(new RegExp(`workqueue_adds_total\\{name="${queue}"\\} [1-9]`));
  }
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=disruption'] });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const labels = { app: 'web' };
let count = 0;
let namespace = '';
let pods = '';
let budgets = '';
beforeEach(async () => {
  namespace = `budget-${++count}`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
  pods = `/api/v1/namespaces/${namespace}/pods`;
  budgets = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
});

async function pod(name: string, owner?: object): Promise<void> {
  const metadata = { name, labels, ...(owner && { ownerReferences: [owner] }) };
  await server.make(pods, { metadata, spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] } });
  await server.ask('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }, merge);
}

async function statusOf(name: string): Promise<Record<string, unknown>> {
  return (await server.ask('GET', `${budgets}/${name}`)).json.status as unknown as Record<string, unknown>;
}

async function replicaSet(name: string, replicas: number): Promise<object> {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const path = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
  await server.make(path, { metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template } });
  const { uid } = (await server.ask('GET', `${path}/${name}`)).json.metadata;
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid, controller: true };
}

test('a number of available pods is compared with the pods there are, and evictions are judged by it', async () => {
  await server.make(budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } });
  await expect
    .poll(() => statusOf('b'), soon)
    .toMatchObject({ expectedPods: 0, disruptionsAllowed: 0, conditions: [{ status: 'False', reason: 'InsufficientPods' }] });
  await pod('p1');
  await pod('p2');
  const allowed = { currentHealthy: 2, desiredHealthy: 1, expectedPods: 2, disruptionsAllowed: 1, observedGeneration: 1 };
  await expect
    .poll(() => statusOf('b'), soon)
    .toMatchObject({ ...allowed, conditions: [{ type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }] });
  const evict = (name: string) => server.ask('POST', `${pods}/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
  expect((await evict('p1')).code).toBe(201);
  expect((await evict('p2')).code).toBe(429);
});

test('a percentage is one of what the controllers of the pods want', async () => {
  const owner = await replicaSet('rs', 4);
  for (const name of ['p1', 'p2', 'p3']) await pod(name, owner);
  await server.make(budgets, { metadata: { name: 'b' }, spec: { maxUnavailable: '50%', selector: { matchLabels: labels } } });
  await expect.poll(() => statusOf('b'), soon).toMatchObject({ expectedPods: 4, desiredHealthy: 2, currentHealthy: 3, disruptionsAllowed: 1 });
  await server.ask('PATCH', `/apis/apps/v1/namespaces/${namespace}/replicasets/rs`, { spec: { replicas: 6 } }, merge);
  await expect.poll(() => statusOf('b'), soon).toMatchObject({ expectedPods: 6, desiredHealthy: 3, disruptionsAllowed: 0 });
});

test('what cannot be counted allows no eviction and says why', async () => {
  await pod('p1', { apiVersion: 'example.com/v1', kind: 'Thing', name: 't', uid: 'u', controller: true });
  await server.make(budgets, { metadata: { name: 'b' }, spec: { maxUnavailable: 1, selector: { matchLabels: labels } } });
  const conditions = [{ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'found no controllers for pod "p1"' }];
  await expect.poll(() => statusOf('b'), soon).toMatchObject({ disruptionsAllowed: 0, conditions });
});

test('a budget that selects nothing says so in an Event', async () => {
  await server.make(budgets, { metadata: { name: 'none' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'nobody' } } } });
  const events = async () => (await server.ask('GET', `/api/v1/namespaces/${namespace}/events`)).json.items as unknown as readonly object[];
  const source = { component: 'controllermanager' };
  const involvedObject = { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', name: 'none' };
  await expect.poll(events, soon).toMatchObject([{ reason: 'NoPods', type: 'Normal', message: 'No matching pods found', source, involvedObject }]);
});

import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { stageDefinition } from '#nodes/stages/stage-definition.ts';

let server: ServerInTest;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const stages = '/apis/nodes.binnacle.dev/v1alpha1/stages';
const soon = { timeout: 20_000, interval: 30 };

const widgetDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--nodes=1', '--controllers='] });
  await server.make(definitions, stageDefinition);
  await server.make(definitions, widgetDefinition);
  for (const path of [stages, '/apis/example.com/v1/widgets']) await vi.waitUntil(async () => (await server.ask('GET', path)).code === 200, soon);
});
afterAll(() => server[Symbol.asyncDispose]());

let count = 0;
let widgets = '';
let namespace = '';
beforeEach(async () => {
  namespace = `stages-${++count}`;
  widgets = `/apis/example.com/v1/namespaces/${namespace}/widgets`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
});

type Loose = Readonly<Record<string, unknown>>;
const get = async (path: string) => (await server.ask('GET', path)).json as unknown as { metadata: Loose; status?: Loose; spec: Loose };
const resource = { apiVersion: 'example.com/v1', kind: 'Widget' };

async function stage(name: string, spec: object): Promise<void> {
  await server.make(stages, {
    apiVersion: 'nodes.binnacle.dev/v1alpha1',
    kind: 'Stage',
    metadata: { name: `${namespace}-${name}` },
    spec: { resource, selector: { matchLabels: { of: namespace } }, ...spec },
  });
}

async function widget(name: string, more: object = {}): Promise<void> {
  await server.make(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, labels: { of: namespace }, ...more } });
}

test('the life of a custom kind is played, one stage after the other', async () => {
  await stage('1-start', { when: ['!has(object.status)'], effect: { status: { phase: 'Starting' }, addFinalizers: ['example.com/held'] } });
  const computed = "{'phase': dyn('Ready'), 'since': dyn(string(now)), 'replicas': dyn(object.metadata.name.size())}";
  await stage('2-ready', { when: ["object.status.phase == 'Starting'"], after: '200ms', effect: { statusExpression: computed } });
  await stage('3-gone', { when: ['has(object.metadata.deletionTimestamp)'], effect: { removeFinalizers: ['example.com/held'] } });
  await widget('abc');
  await expect.poll(async () => (await get(`${widgets}/abc`)).status, soon).toMatchObject({ phase: 'Ready', replicas: 3, since: expect.stringMatching(/Z$/) });
  expect((await get(`${widgets}/abc`)).metadata['finalizers']).toEqual(['example.com/held']);
  await server.ask('DELETE', `${widgets}/abc`);
  await expect.poll(async () => (await server.ask('GET', `${widgets}/abc`)).code, soon).toBe(404);
});

test('objects that no selector means are left alone, and a stage can end them', async () => {
  await widget('other', { labels: { of: 'nobody' } });
  await widget('short');
  await stage('end', { after: '50ms', effect: { delete: true, event: { type: 'Warning', reason: 'Ended', message: 'it was short' } } });
  await expect.poll(async () => (await server.ask('GET', `${widgets}/short`)).code, soon).toBe(404);
  expect((await server.ask('GET', `${widgets}/other`)).code).toBe(200);
  const events = async () => (await server.ask('GET', `/api/v1/namespaces/${namespace}/events`)).json.items;
  await expect
    .poll(events, soon)
    .toMatchObject([{ reason: 'Ended', type: 'Warning', message: 'it was short', involvedObject: { kind: 'Widget', name: 'short' } }]);
});

test('a stage whose expression makes no sense says so in its status', async () => {
  await stage('wrong', { when: ['object.status.phase =='], effect: { delete: true } });
  const accepted = async () => ((await get(`${stages}/${namespace}-wrong`)).status?.['conditions'] as readonly Loose[] | undefined)?.[0];
  await expect.poll(accepted, soon).toMatchObject({ type: 'Accepted', status: 'False', reason: 'Invalid', message: expect.stringContaining('Syntax error') });
  await server.ask('PATCH', `${stages}/${namespace}-wrong`, { spec: { when: ['false'] } }, { type: 'application/merge-patch+json' });
  await expect.poll(accepted, soon).toMatchObject({ status: 'True', reason: 'Played' });
});

test('pods that say so are left to stages', async () => {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const conditions = [{ type: 'Ready', status: 'True' }];
  await stage('pod', {
    resource: { apiVersion: 'v1', kind: 'Pod' },
    when: ["object.status.phase == 'Pending'"],
    effect: { status: { phase: 'Running', podIP: '192.0.2.1', podIPs: [{ ip: '192.0.2.1' }], conditions } },
  });
  const metadata = { name: 'p', labels: { of: namespace }, annotations: { 'nodes.binnacle.dev/life': 'stages' } };
  await server.make(pods, { metadata, spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'i' }] } });
  await expect.poll(async () => (await get(`${pods}/p`)).status, soon).toMatchObject({ phase: 'Running', podIP: '192.0.2.1' });
});

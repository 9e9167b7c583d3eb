import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { systemClock } from '#base/clock.ts';
import { systemTimers } from '#base/timers.ts';
import { CachedClient } from '#client/cached-client.ts';
import { discover } from '#client/discovery-client.ts';
import { DynamicClient } from '#client/dynamic-client.ts';
import { EventRecorder } from '#client/event-recorder.ts';
import { withRetryAfter } from '#client/interceptors.ts';
import { kinds } from '#client/kinds.ts';
import { type LeaderElectionOptions, runElected } from '#client/leader-election.ts';
import { RestClient } from '#client/rest-client.ts';
import { RestMapper } from '#client/rest-mapper.ts';
import { retryOnConflict } from '#client/retry-on-conflict.ts';
import type { Transport } from '#client/transport.ts';
import { TypedClient } from '#client/typed-client.ts';

let server: ServerInTest;
let transport: Transport;
let client: RestClient;
beforeAll(async () => {
  server = await ServerInTest.start();
  transport = server.server.api.transport;
  client = new RestClient(transport, 'test');
  for (const name of ['rest', 'typed', 'paged']) await client.create(kinds.namespaces, '', { metadata: { name } });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('the REST client', () => {
  test('does every verb', async () => {
    const made = await client.create<KubernetesObject>(kinds.configMaps, 'rest', { metadata: { name: 'a', labels: { x: 'y' } }, data: { k: '1' } });
    expect((await client.get(kinds.configMaps, 'rest', 'a')).metadata.uid).toBe(made.metadata.uid);
    const updated = await client.update(kinds.configMaps, { ...made, data: { k: '2' } });
    expect(updated['data']).toEqual({ k: '2' });
    const patched = await client.patch(kinds.configMaps, { namespace: 'rest', name: 'a' }, 'application/merge-patch+json', { data: { more: 'm' } });
    expect(patched['data']).toEqual({ k: '2', more: 'm' });
    const applied: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'rest', labels: { x: 'y' } } };
    expect((await client.apply(kinds.configMaps, applied, { fieldManager: 'test' })).metadata.uid).toBeDefined();
    expect((await client.deleteCollection(kinds.configMaps, 'rest', { labelSelector: 'x=y' })).items).toHaveLength(2);
    expect(await client.find(kinds.configMaps, 'rest', 'a')).toBeUndefined();
  });

  test('throws refusals as the server made them', async () => {
    const refused = await client.get(kinds.configMaps, 'rest', 'absent').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: 404, reason: 'NotFound', message: 'configmaps "absent" not found', details: { name: 'absent', kind: 'configmaps' } });
  });

  test('pages make up the list', async () => {
    for (let i = 0; i < 7; i++) await client.create(kinds.configMaps, 'paged', { metadata: { name: `p${i}` } });
    const sizes: number[] = [];
    for await (const { items } of client.pages(kinds.configMaps, 'paged', { limit: 3 })) sizes.push(items.length);
    expect(sizes).toEqual([3, 3, 1]);
  });

  test('reads metadata alone, or tables', async () => {
    const list = await client.as('metadata').list(kinds.configMaps, 'paged');
    expect(list.kind).toBe('PartialObjectMetadataList');
    expect((await client.as('metadata').get(kinds.configMaps, 'paged', 'p0')).kind).toBe('PartialObjectMetadata');
    expect(((await client.as('table').list(kinds.configMaps, 'paged')) as unknown as { rows: unknown[] }).rows).toHaveLength(7);
  });

  test('waits as long as it is told to, and then asks again', async () => {
    const timers = new ManualTimers();
    let asked = 0;
    const busy: Transport = async (request) => {
      if (++asked > 2) return transport(request);
      return { code: 429, headers: { 'retry-after': '2' }, chunks: (async function* () {})() };
    };
    const answer = new RestClient(withRetryAfter(busy, timers), 'test').get(kinds.namespaces, '', 'default');
    for (let i = 0; i < 2; i++) {
      while (timers.pending === 0) await new Promise((resolve) => setImmediate(resolve));
      timers.advance(2_000);
    }
    expect((await answer).metadata.name).toBe('default');
    expect(asked).toBe(3);
  });

  test('gives up after ten times, or when nobody says how long to wait', async () => {
    let asked = 0;
    const answers =
      (headers: Record<string, string>): Transport =>
      async () => {
        asked++;
        return { code: 503, headers, chunks: (async function* () {})() };
      };
    await expect(new RestClient(withRetryAfter(answers({ 'retry-after': '0' }), systemTimers), 't').get(kinds.namespaces, '', 'a')).rejects.toThrow(ApiError);
    expect(asked).toBe(11);
    await expect(new RestClient(withRetryAfter(answers({}), systemTimers), 't').get(kinds.namespaces, '', 'a')).rejects.toThrow(ApiError);
    expect(asked).toBe(12);
  });
});

test('the typed client knows the fields of its kind', async () => {
  const maps = new TypedClient(client, kinds.configMaps).in('typed');
  const made = await maps.create({ metadata: { name: 'a' }, data: { k: 'v' } });
  const value: string | undefined = made.data?.['k'];
  expect(value).toBe('v');
  await maps.merge('a', { data: { k: null, l: 'w' } });
  expect((await maps.get('a')).data).toEqual({ l: 'w' });
  await maps.apply('b', { data: { x: 'y' } }, { fieldManager: 'test' });
  expect((await maps.list()).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  await maps.delete('a');
  expect(await maps.find('a')).toBeUndefined();
});

describe('discovery', () => {
  const legacy: Transport = (request) => transport({ ...request, headers: { ...request.headers, accept: 'application/json' } });

  test('finds the same by the aggregated document and group by group', async () => {
    const [aggregated, old] = await Promise.all([discover(client), discover(new RestClient(legacy, 'old'))]);
    const inOrder = (all: typeof old) => all.map((one) => JSON.stringify({ ...one, subresources: one.subresources.toSorted() })).toSorted();
    expect(inOrder(aggregated)).toEqual(inOrder(old));
    expect(aggregated.find(({ resource }) => resource === 'deployments')).toMatchObject({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      namespaced: true,
      shortNames: ['deploy'],
    });
  });

  test('one group that does not answer does not hide the others', async () => {
    const broken: Transport = async (request) =>
      request.path === '/apis/batch/v1' ? { code: 503, headers: {}, chunks: (async function* () {})() } : legacy(request);
    const missing: string[] = [];
    const found = await discover(new RestClient(broken, 'test'), (group) => missing.push(group));
    expect(missing).toEqual(['batch/v1']);
    expect(found.some(({ group }) => group === 'apps')).toBe(true);
  });

  test('every kind of the typed client is where it says', async () => {
    const all = await discover(client);
    for (const { group, version, resource, kind, namespaced } of Object.values(kinds)) {
      expect(all.find((one) => one.group === group && one.version === version && one.resource === resource)).toMatchObject({ kind, namespaced });
    }
  });
});

describe('the mapper', () => {
  test.each([
    ['po', '', 'v1', 'pods'],
    ['Pod', '', 'v1', 'pods'],
    ['deploy', 'apps', 'v1', 'deployments'],
    ['deployments.apps', 'apps', 'v1', 'deployments'],
    ['deployments.v1.apps', 'apps', 'v1', 'deployments'],
    ['events.events.k8s.io', 'events.k8s.io', 'v1', 'events'],
    ['ev', '', 'v1', 'events'],
    ['hpa', 'autoscaling', 'v2', 'horizontalpodautoscalers'],
    ['horizontalpodautoscalers.v1.autoscaling', 'autoscaling', 'v1', 'horizontalpodautoscalers'],
  ])('knows what %s means', async (name, group, version, resource) => {
    expect(await new RestMapper(client).forName(name)).toMatchObject({ group, version, resource });
  });

  test('asks the server again before it says that there is no such kind, and only once', async () => {
    let asked = 0;
    const counting: Transport = (request) => {
      asked++;
      return transport(request);
    };
    const mapper = new RestMapper(new RestClient(counting, 'test'));
    await mapper.forKind('v1', 'Pod');
    await mapper.forKind('apps/v1', 'Deployment');
    expect(asked).toBe(2);
    await expect(mapper.forKind('v1', 'Nothing')).rejects.toThrow('no matches for kind "Nothing" in version "v1"');
    expect(asked).toBe(4);
    await expect(mapper.forName('nothing')).rejects.toThrow(`the server doesn't have a resource type "nothing"`);
  });

  test('lets objects of any kind find their way', async () => {
    const dynamic = new DynamicClient(client, new RestMapper(client));
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'dynamic', namespace: 'rest' }, data: { k: 'v' } };
    await dynamic.create(map);
    await dynamic.apply({ ...map, data: { l: 'w' } }, { fieldManager: 'test' });
    expect((await dynamic.get(map, 'rest', 'dynamic'))['data']).toEqual({ k: 'v', l: 'w' });
    expect((await dynamic.list(map, 'rest', { fieldSelector: 'metadata.name=dynamic' })).items).toHaveLength(1);
    await dynamic.delete(map);
    await expect(dynamic.get(map, 'rest', 'dynamic')).rejects.toThrow('not found');
  });
});

test('the cached client reads what informers know, by namespace, labels and fields', async () => {
  const stop = new AbortController();
  const cached = new CachedClient({ client, signal: stop.signal, random: Math.random });
  const make = (name: string, labels: Record<string, string>) => client.create(kinds.secrets, 'rest', { metadata: { name, labels }, type: 'example.com/x' });
  await make('one', { a: 'b' });
  await make('two', { a: 'c' });
  expect((await cached.get(kinds.secrets, 'rest', 'one'))?.metadata.name).toBe('one');
  const names = async (selection: Parameters<CachedClient['list']>[1]) => (await cached.list(kinds.secrets, selection)).map(({ metadata }) => metadata.name);
  expect(await names({ namespace: 'rest', labelSelector: 'a in (b)' })).toEqual(['one']);
  expect(await names({ namespace: 'rest', fields: { type: 'example.com/x' } })).toEqual(['one', 'two']);
  expect(await names({ namespace: 'default' })).toEqual([]);
  stop.abort();
  await expect(cached.get(kinds.pods, 'rest', 'x')).rejects.toThrow();
});

test('changes with retry on conflict are all counted', async () => {
  await client.create(kinds.configMaps, 'rest', { metadata: { name: 'counter' }, data: { n: '0' } });
  const increment = async () => {
    const counter = await client.get<KubernetesObject & { data: { n: string } }>(kinds.configMaps, 'rest', 'counter');
    await client.update(kinds.configMaps, { ...counter, data: { n: String(Number(counter.data.n) + 1) } });
  };
  await Promise.all(Array.from({ length: 10 }, () => retryOnConflict(increment)));
  expect((await client.get(kinds.configMaps, 'rest', 'counter'))['data']).toEqual({ n: '10' });
  await expect(retryOnConflict(async () => Promise.reject(new Error('other')))).rejects.toThrow('other');
});

test('the event recorder tells once and counts the rest', async () => {
  const made = await client.create<KubernetesObject>(kinds.configMaps, 'rest', { metadata: { name: 'told' } });
  const recorder = new EventRecorder({ client, controller: 'example.com/test', instance: 'test-1', clock: systemClock, suffix: () => 'abc' });
  const happening = { type: 'Normal', reason: 'Seen', action: 'Looking', note: 'it was seen' } as const;
  for (let i = 0; i < 3; i++) await recorder.record({ apiVersion: 'v1', ...made, kind: 'ConfigMap' }, happening);
  const event = await client.get(kinds.events, 'rest', 'told.abc');
  expect(event).toMatchObject({ reason: 'Seen', note: 'it was seen', series: { count: 3 }, regarding: { kind: 'ConfigMap', name: 'told' } });
});

describe('leader election', () => {
  const timers = new ManualTimers();
  let now = Date.parse('2026-01-01T00:00:00Z');
  const pass = async (ms: number) => {
    now += ms;
    timers.advance(ms);
    for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
  };

  function candidate(identity: string, name: string, through: RestClient = client) {
    const options: LeaderElectionOptions = {
      client: through,
      namespace: 'rest',
      name,
      identity,
      leaseMs: 15_000,
      renewDeadlineMs: 10_000,
      retryMs: 2_000,
      clock: { now: () => new Date(now) },
      timers,
      random: () => 0,
    };
    const stop = new AbortController();
    const state = { leading: false, terms: 0 };
    const lead = async (signal: AbortSignal) => {
      state.leading = true;
      state.terms++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      state.leading = false;
    };
    return { state, stop, running: runElected(options, lead, stop.signal) };
  }

  test('one leads until it stops; then the lease is free at once and the next takes over', async () => {
    const [a, b] = [candidate('a', 'lock'), candidate('b', 'lock')];
    await pass(0);
    const [first, second] = a.state.leading ? [a, b] : [b, a];
    for (let i = 0; i < 20; i++) {
      await pass(2_000);
      expect([first.state.leading, second.state.leading]).toEqual([true, false]);
    }
    first.stop.abort();
    await first.running;
    await pass(2_000);
    expect([first.state.leading, second.state.leading]).toEqual([false, true]);
    second.stop.abort();
    await second.running;
  });

  test('a leader that cannot reach the server stops before another may begin', async () => {
    let cut = false;
    const cuttable = new RestClient(async (request) => {
      if (cut) throw new Error('connection lost');
      return transport(request);
    }, 'test');
    const a = candidate('a', 'cut', cuttable);
    await pass(0);
    expect(a.state.leading).toBe(true);
    const b = candidate('b', 'cut');
    await pass(0);
    cut = true;
    for (let waited = 0; waited < 30_000 && !b.state.leading; waited += 1_000) {
      await pass(1_000);
      expect(a.state.leading && b.state.leading).toBe(false);
    }
    expect([a.state.leading, b.state.leading]).toEqual([false, true]);
    for (const one of [a, b]) {
      one.stop.abort();
      await one.running;
    }
  });
});

// What clients that take gzip read is the list that the others read, whatever happened between the lists before.
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CachedPods, cachedPods, deletePod, putPod, podForm } from '../support/cached-pods.ts';
import { readAll } from '#client/transport.ts';
import { DeflatedRuns } from '#server/answer/deflated-runs.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { storedList } from '#server/answer/list-text.ts';
import { sendList } from '#server/answer/send-list.ts';

type Query = Parameters<CachedPods['cache']['list']>[0];
const namespaces = ['a', 'b', 'c'];

async function sent(query: Query, { cache }: CachedPods, runs: DeflatedRuns, headers: Record<string, string>) {
  const { items, revision } = await cache.list(query);
  const list = storedList(podForm.listFrame({ resourceVersion: String(revision) }), items);
  const answer = await callInProcess((exchange) => sendList(exchange, 'application/json', list, runs), { method: 'GET', path: '/', headers });
  return { encoding: answer.headers['content-encoding'], body: await readAll(answer) };
}

/** All at the same time: the plain list, and twice the compressed one. */
async function expectSame(query: Query, pods: CachedPods, runs: DeflatedRuns): Promise<boolean> {
  const gzip = { 'accept-encoding': 'gzip' };
  const [plain, first, second] = await Promise.all([sent(query, pods, runs, {}), sent(query, pods, runs, gzip), sent(query, pods, runs, gzip)]);
  for (const { encoding, body } of [first, second]) expect((encoding ? gunzipSync(body) : body).equals(plain.body)).toBe(true);
  JSON.parse(plain.body.toString());
  return first.encoding === 'gzip';
}

const place = fc.record({ namespace: fc.constantFrom(...namespaces), name: fc.nat(400).map((n) => `pod-${n}`) });
const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ put: place, padding: fc.oneof({ weight: 20, arbitrary: fc.nat(900) }, { weight: 1, arbitrary: fc.constant(300_000) }) }),
  },
  { weight: 2, arbitrary: fc.record({ remove: place }) },
);

async function perform(step: typeof change extends fc.Arbitrary<infer T> ? T : never, { store, cache }: CachedPods): Promise<void> {
  const revision =
    'put' in step
      ? await putPod(store, step.put.namespace, step.put.name, { padding: step.padding })
      : await deletePod(store, step.remove.namespace, step.remove.name);
  await cache.waitFor(revision);
}

async function filled(): Promise<CachedPods> {
  const pods = await cachedPods();
  let revision = 0;
  for (let i = 0; i < 900; i++) revision = await putPod(pods.store, namespaces[i % 3] as string, `pod-${i % 400}`, { padding: i });
  await pods.cache.waitFor(revision);
  return pods;
}

describe('a list in gzip', () => {
  test.each([64 << 20, 30_000])('is the plain list after any changes, with %d bytes to keep runs in', async (budget) => {
    const pods = await filled();
    const runs = new DeflatedRuns(budget);
    let compressed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), fc.integer({ min: 150, max: 900 }), async (changes, limit) => {
        for (const step of changes) await perform(step, pods);
        for (const query of [{ namespace: '' }, { namespace: 'b' }, { namespace: '', limit }, { namespace: '', limit, after: '/registry/pods/a/pod-2' }]) {
          if (await expectSame(query, pods, runs)) compressed++;
        }
        expect(runs.bytes).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 25 },
    );
    expect(compressed).toBeGreaterThan(50);
    await pods[Symbol.asyncDispose]();
  });

  test('of a state that has passed is that state', async () => {
    await using pods = await filled();
    const runs = new DeflatedRuns(64 << 20);
    const { items, revision } = pods.cache.list({ namespace: '' });
    await perform({ put: { namespace: 'b', name: 'pod-7' }, padding: 5 }, pods);
    await expectSame({ namespace: '' }, pods, runs);
    const old = await pods.cache.listAt({ namespace: '' }, revision);
    if (old === 'compacted') throw new Error('gone');
    const list = storedList(podForm.listFrame({}), old.items);
    const send = (headers: Record<string, string>) => callInProcess((exchange) => sendList(exchange, '', list, runs), { method: 'GET', path: '/', headers });
    const { items: shown } = JSON.parse(gunzipSync(await readAll(await send({ 'accept-encoding': 'gzip' }))).toString());
    expect(shown.map(({ metadata }: { metadata: { resourceVersion: string } }) => Number(metadata.resourceVersion))).toEqual(
      items.map((item) => item.revision),
    );
  });

  test('costs one run more after one change', async () => {
    await using pods = await filled();
    const runs = new DeflatedRuns(64 << 20);
    await expectSame({ namespace: '' }, pods, runs);
    const before = runs.bytes;
    await expectSame({ namespace: '' }, pods, runs);
    expect(runs.bytes).toBe(before);
    await perform({ put: { namespace: 'b', name: 'pod-7' }, padding: 5 }, pods);
    await expectSame({ namespace: '' }, pods, runs);
    expect(runs.bytes - before).toBeLessThan(before / 2);
  });
});

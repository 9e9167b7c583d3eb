import { expect, test } from 'vitest';
import { collector } from '#base/memory/collector.ts';
import { apiUnderTest, applyPatch, mergePatch } from '../../test/support/api-under-test.ts';

const api = apiUnderTest();

/** Megabytes of the heap that are in use. */
function heapInUse(): number {
  const collect = collector();
  collect();
  collect();
  return process.memoryUsage().heapUsed / (1 << 20);
}

const megabyte = 'a'.repeat(1_000_000);

/** Each key is new, as long as may be, and refused or not refused: nothing of it may be remembered. */
function hostileRequests(turn: number, namespace: string): readonly (() => Promise<unknown>)[] {
  const key = `${turn}${megabyte}`;
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', labels: { [key]: 'x' } }, data: { [key]: 'x' } };
  return [
    () => api.ask('POST', review, { metadata: { labels: { [key]: 'x' }, finalizers: [key] }, spec: {} }),
    () => api.ask('POST', `${maps}?dryRun=All`, { metadata: { name: 'm' }, [key]: 1, data: { [key]: 'x' } }),
    () => api.ask('PATCH', `${maps}/target`, { metadata: { annotations: { [key]: 'x' } } }, mergePatch),
    () => api.ask('PATCH', `${maps}/m?fieldManager=m`, applied, applyPatch),
    () => api.ask('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, podWith(key.slice(0, 250_000))),
  ];
}

function podWith(key: string): object {
  const container = { name: key, image: key, env: [{ name: key, value: key }], resources: { limits: { [key]: `${key}1` } } };
  return { metadata: { name: 'p' }, spec: { containers: [container], tolerations: [{ key, operator: key, value: key }] } };
}

test('requests leave nothing of their keys in memory', async () => {
  const namespace = await api.namespace();
  await api.make(`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'target' } });
  // The first ones warm up what is kept about kinds.
  for (const ask of hostileRequests(0, namespace)) await ask();
  const before = heapInUse();
  for (let turn = 1; turn <= 12; turn++) for (const ask of hostileRequests(turn, namespace)) await ask();
  expect(heapInUse() - before).toBeLessThan(16);
}, 120_000);

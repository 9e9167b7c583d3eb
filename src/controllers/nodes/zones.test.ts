import { expect, test } from 'vitest';
import type { StoredNode } from '#controllers/nodes/stored-kinds.ts';
import { rateOf, TaintQueue, zoneOf, zoneState } from '#controllers/nodes/zones.ts';

const rates = { perSecond: 0.1, secondaryPerSecond: 0.01, largeZone: 50, unhealthyShare: 0.55 };

test.each([
  [0, 0, 'Normal'],
  [0, 1, 'FullDisruption'],
  [1, 2, 'Normal'],
  [2, 3, 'PartialDisruption'],
  [3, 3, 'Normal'],
])('a zone with %i ready and %i silent nodes is in the state %s', (ready, notReady, state) => {
  expect(zoneState(ready, notReady, rates)).toBe(state);
});

test('where many are silent a large zone is given up slowly and a small one not at all', () => {
  expect(rateOf('Normal', 10, rates)).toBe(0.1);
  expect(rateOf('PartialDisruption', 50, rates)).toBe(0);
  expect(rateOf('PartialDisruption', 51, rates)).toBe(0.01);
  expect(rateOf('FullDisruption', 10, rates)).toBe(0.1);
});

test('zones are told apart by region and zone, in the new and the old spelling', () => {
  const node = (labels: Record<string, string>) => ({ metadata: { labels } }) as unknown as StoredNode;
  expect(zoneOf(node({}))).toBe('');
  expect(zoneOf(node({ 'topology.kubernetes.io/region': 'r', 'topology.kubernetes.io/zone': 'z' }))).toBe('r:\u0000:z');
  expect(zoneOf(node({ 'failure-domain.beta.kubernetes.io/zone': 'z' }))).toBe(':\u0000:z');
});

test('nodes are taken one at a time, as the rate allows, and a new rate does not bring what was saved up', () => {
  const queue = new TaintQueue(0.1, 0);
  for (const name of ['a', 'b', 'c', 'd']) queue.add(name);
  queue.remove('c');
  expect([queue.take(0), queue.take(0), queue.waitMs(0)]).toEqual(['a', undefined, 10_000]);
  expect([queue.take(9_999), queue.take(10_000)]).toEqual([undefined, 'b']);
  queue.setRate(0, 10_000);
  expect([queue.waitMs(1e9), queue.take(1e9)]).toEqual([undefined, undefined]);
  queue.setRate(1, 1e9);
  expect([queue.take(1e9), queue.take(1e9 + 1_000)]).toEqual([undefined, 'd']);
});

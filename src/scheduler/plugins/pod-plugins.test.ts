import { expect, test } from 'vitest';
import { labelSelectorFrom } from '#api/label-selector.ts';
import { aCluster, aNode, aPod, type PodWish, scores, verdicts } from '../../../test/support/scheduler-cluster.ts';
import { interPodAffinity } from '#scheduler/plugins/inter-pod-affinity.ts';
import { podTopologySpread } from '#scheduler/plugins/pod-topology-spread.ts';
import { spreadConstraints } from '#scheduler/plugins/spread-constraints.ts';

const zone = 'topology.kubernetes.io/zone';
const nodes = [aNode('a1', { labels: { [zone]: 'a' } }), aNode('a2', { labels: { [zone]: 'a' } }), aNode('b1', { labels: { [zone]: 'b' } }), aNode('nowhere')];
const labels = { app: 'x' };
const term = (topologyKey: string, more: object = {}) => ({ labelSelector: { matchLabels: labels }, topologyKey, ...more });
const wanting = (side: 'podAffinity' | 'podAntiAffinity', terms: readonly object[], kind: 'required' | 'preferred' = 'required'): PodWish => ({
  spec: { affinity: { [side]: { [`${kind}DuringSchedulingIgnoredDuringExecution`]: terms } } },
});
const fits = { a1: 'fits', a2: 'fits', b1: 'fits', nowhere: 'fits' };
const lonely = "node(s) didn't match pod affinity rules";
const crowded = "node(s) didn't match pod anti-affinity rules";
const unwelcome = "node(s) didn't satisfy existing pods anti-affinity rules";

test('a pod goes to the zone of those that it wants to be near to', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })] });
  expect(verdicts(interPodAffinity(), aPod('p', wanting('podAffinity', [term(zone)])), cluster)).toEqual({ ...fits, b1: lonely, nowhere: lonely });
});

test('the first of a group that wants to be together may go wherever there is such a domain', () => {
  const pod = aPod('p', { ...wanting('podAffinity', [term(zone)]), labels });
  expect(verdicts(interPodAffinity(), pod, aCluster(nodes))).toEqual({ ...fits, nowhere: lonely });
});

test('a pod keeps away from those that it does not want near, and from those that do not want it', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })], b1: [aPod('y', wanting('podAntiAffinity', [{ labelSelector: {}, topologyKey: zone }]))] });
  const pod = aPod('p', wanting('podAntiAffinity', [term('kubernetes.io/hostname')]));
  expect(verdicts(interPodAffinity(), pod, cluster)).toEqual({ ...fits, a1: crowded, b1: unwelcome });
});

test('neighbours of other namespaces count where the term names or selects them', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels, namespace: 'other' })] });
  cluster.putNamespace('other', { team: 'b' });
  const of = (more: object) => verdicts(interPodAffinity(), aPod('p', wanting('podAntiAffinity', [term(zone, more)])), cluster)['a1'];
  expect(of({})).toBe('fits');
  expect(of({ namespaces: ['other'] })).toBe(crowded);
  expect(of({ namespaceSelector: { matchLabels: { team: 'b' } } })).toBe(crowded);
  expect(of({ namespaceSelector: { matchLabels: { team: 'c' } } })).toBe('fits');
  expect(of({ namespaceSelector: {} })).toBe(crowded);
});

test('wishes of the pod and of those that are there score together', () => {
  const weighted = (weight: number, key = zone) => [{ weight, podAffinityTerm: term(key) }];
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })], b1: [aPod('y', { ...wanting('podAffinity', weighted(30), 'preferred'), labels: {} })] });
  const pod = aPod('p', { ...wanting('podAffinity', weighted(60), 'preferred'), labels });
  expect(scores(interPodAffinity(), pod, cluster)).toEqual({ a1: 100, a2: 100, b1: 50, nowhere: 0 });
  expect(scores(interPodAffinity(), aPod('q'), aCluster(nodes))).toBeUndefined();
});

const spread = podTopologySpread(spreadConstraints(() => labelSelectorFrom({ matchLabels: labels })));
const skewed = "node(s) didn't match pod topology spread constraints";
const constrained = (...topologySpreadConstraints: object[]): PodWish => ({ labels, spec: { topologySpreadConstraints } });
const hard = (more: object = {}) => ({ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: labels }, ...more });

test('no zone may have more than maxSkew above the least', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })] });
  const expected = { a1: skewed, a2: skewed, b1: 'fits', nowhere: `${skewed} (missing required label)` };
  expect(verdicts(spread, aPod('p', constrained(hard())), cluster)).toEqual(expected);
  expect(verdicts(spread, aPod('p', constrained(hard({ maxSkew: 2 }))), cluster)).toMatchObject({ a1: 'fits' });
});

test('with fewer domains than asked for the least is nothing', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })], b1: [aPod('y', { labels })] });
  expect(verdicts(spread, aPod('p', constrained(hard())), cluster)).toMatchObject({ a1: 'fits', b1: 'fits' });
  expect(verdicts(spread, aPod('p', constrained(hard({ minDomains: 3 }))), cluster)).toMatchObject({ a1: skewed, b1: skewed });
});

test('domains that the pod may not go to do not count, unless it says so', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })] });
  const only = (more: object) => aPod('p', { labels, spec: { nodeSelector: { [zone]: 'a' }, topologySpreadConstraints: [hard(more)] } });
  expect(verdicts(spread, only({}), cluster)).toMatchObject({ a1: 'fits' });
  expect(verdicts(spread, only({ nodeAffinityPolicy: 'Ignore' }), cluster)).toMatchObject({ a1: skewed });
});

test('pods that say nothing are spread over hosts and zones with those of their workload', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels }), aPod('y', { labels })] });
  const given = scores(spread, aPod('p', { labels }), cluster);
  expect(given).toMatchObject({ a1: expect.any(Number), nowhere: 100 });
  expect(given?.['a1']).toBeLessThan(given?.['a2'] ?? 0);
  expect(given?.['a2']).toBeLessThan(given?.['b1'] ?? 0);
});

test('what is tried out with pods that come and go leaves the real counts alone', () => {
  const cluster = aCluster(nodes, { a1: [aPod('x', { labels })] });
  const filter = spread.filter?.(aPod('p', constrained(hard())), cluster);
  const node = cluster.node('a1');
  if (filter === undefined || !('check' in filter) || node === undefined) throw new Error('no filter');
  const copy = filter.copy?.();
  copy?.removePod?.(aPod('x', { labels }), node);
  expect(copy?.check(node)).toBeUndefined();
  expect(filter.check(node)?.reasons).toEqual([skewed]);
});

import { expect, test } from 'vitest';
import { labelSelectorFrom } from '#api/label-selector.ts';
import { silentLog } from '#base/log.ts';
import { aCluster, aNode, aPod } from '../../../test/support/scheduler-cluster.ts';
import { fitMessage } from '#scheduler/cycle/fit-message.ts';
import { NodeChecks } from '#scheduler/cycle/node-checks.ts';
import { NodeSearch, nodesToFind } from '#scheduler/cycle/schedule-pod.ts';
import { type Candidate, leastHarmful, selectVictims } from '#scheduler/cycle/select-victims.ts';
import type { Plugin, Rejection } from '#scheduler/framework.ts';
import { nodeAffinity } from '#scheduler/plugins/node-affinity.ts';
import { nodeResourcesFit } from '#scheduler/plugins/node-resources.ts';
import { Nominations } from '#scheduler/queue/nominations.ts';

const rejection = (...reasons: string[]): Rejection => ({ plugin: 'P', isResolvable: true, reasons });

test('reasons are counted and sorted, and what came of making room follows', () => {
  const byNode = new Map([
    ['a', rejection('Insufficient cpu')],
    ['b', rejection('Insufficient cpu', 'Insufficient memory')],
  ]);
  expect(fitMessage(2, { byNode })).toBe('0/2 nodes are available: 1 Insufficient memory, 2 Insufficient cpu.');
  expect(fitMessage(5, { byNode, ofOthers: rejection('other') }, 'preemption: no')).toBe(
    '0/5 nodes are available: 1 Insufficient memory, 2 Insufficient cpu, 3 other. preemption: no',
  );
  expect(fitMessage(3, { byNode: new Map(), ofAll: rejection('no claim') })).toBe('0/3 nodes are available: no claim.');
});

test('the larger the cluster, the smaller the share of it that is searched, but never fewer than a hundred nodes', () => {
  expect([1, 99, 100, 150, 1_000, 5_000, 10_000].map(nodesToFind)).toEqual([1, 99, 100, 100, 420, 500, 500]);
});

function search(plugins: readonly Plugin[], cluster = aCluster([]), random = () => 0): NodeSearch {
  return new NodeSearch({ plugins, cluster, nominations: new Nominations(), random, log: silentLog });
}

test('of the best nodes any may be chosen, of the others none', () => {
  const cluster = aCluster([aNode('a'), aNode('b'), aNode('used')], { used: [aPod('placed', { requests: { cpu: '3' } })] });
  const chosen = (random: number) => {
    const outcome = search([nodeResourcesFit()], cluster, () => random).find(aPod('p', { requests: { cpu: '1' } }));
    return outcome.is === 'placed' ? outcome.node.name : undefined;
  };
  expect([chosen(0), chosen(0.49), chosen(0.5), chosen(0.99)]).toEqual(['a', 'a', 'b', 'b']);
});

test('verdicts that are kept for pods of the same kind follow the node', () => {
  const cluster = aCluster([aNode('a', { allocatable: { cpu: '1' } })]);
  const one = search([nodeResourcesFit()], cluster);
  const pod = aPod('p', { requests: { cpu: '1' } });
  expect(one.find(pod).is).toBe('placed');
  cluster.assume(pod.on('a'));
  expect(one.find(aPod('q', { requests: { cpu: '1' } })).is).toBe('misfit');
  cluster.dropPod(pod.uid);
  expect(one.find(aPod('q', { requests: { cpu: '1' } })).is).toBe('placed');
  cluster.putNode(aNode('a', { allocatable: { cpu: '500m' } }));
  expect(one.find(aPod('q', { requests: { cpu: '1' } })).is).toBe('misfit');
});

test('nodes that a pod does not name are not looked at, and say so', () => {
  const terms = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gone'] }] }] };
  const pod = aPod('p', { spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } } });
  const outcome = search([nodeAffinity()], aCluster([aNode('a'), aNode('b')])).find(pod);
  if (outcome.is !== 'misfit') throw new Error('placed');
  expect(fitMessage(2, outcome.diagnosis)).toBe("0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity].");
});

test('a nominated pod keeps its room from others that are not more important', () => {
  const cluster = aCluster([aNode('a', { allocatable: { cpu: '1' } })]);
  const nominations = new Nominations();
  nominations.put(
    aPod('nominated', { requests: { cpu: '1' }, spec: { priority: 10, containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } }),
    'a',
  );
  const find = (priority: number) => {
    const pod = aPod('p', { spec: { priority, containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] } });
    return new NodeSearch({ plugins: [nodeResourcesFit()], cluster, nominations, random: () => 0, log: silentLog }).find(pod).is;
  };
  expect([find(5), find(10), find(11)]).toEqual(['misfit', 'misfit', 'placed']);
});

const asking = (name: string, cpu: string, priority = 0, more: object = {}) =>
  aPod(name, { ...more, spec: { priority, containers: [{ name: 'c', resources: { requests: { cpu } } }] } });

function victimsOf(pod: ReturnType<typeof aPod>, placed: readonly ReturnType<typeof aPod>[], budgets: Parameters<typeof selectVictims>[3] = []) {
  const cluster = aCluster([aNode('a', { allocatable: { cpu: '2' } })], { a: placed });
  const checks = new NodeChecks(pod, [nodeResourcesFit()], cluster, new Nominations());
  const node = cluster.node('a');
  if (node === undefined) throw new Error('no node');
  const selected = selectVictims(pod, node, checks, budgets, 0);
  return 'victims' in selected ? { victims: selected.victims.map(({ name }) => name), violations: selected.violations } : selected.reasons;
}

test('as few pods as can be leave, the least important ones', () => {
  const placed = [asking('low', '1', 1), asking('middle', '500m', 5), asking('high', '500m', 50)];
  expect(victimsOf(asking('p', '1', 10), placed)).toEqual({ victims: ['low'], violations: 0 });
  expect(victimsOf(asking('p', '1500m', 10), placed)).toEqual({ victims: ['middle', 'low'], violations: 0 });
  expect(victimsOf(asking('p', '2', 10), placed)).toEqual(['Insufficient cpu']);
  expect(victimsOf(asking('p', '2', 1), placed)).toEqual(['No preemption victims found for incoming pod']);
});

test('pods that a budget guards stay where others can go', () => {
  const labels = { app: 'x' };
  const placed = [asking('guarded', '1', 1, { labels }), asking('free', '1', 5)];
  const budget = { namespace: 'default', selector: labelSelectorFrom({ matchLabels: labels }), allowed: 0, disrupted: new Set<string>() };
  expect(victimsOf(asking('p', '1', 10), placed)).toMatchObject({ victims: ['guarded'] });
  expect(victimsOf(asking('p', '1', 10), placed, [budget])).toEqual({ victims: ['free'], violations: 0 });
  expect(victimsOf(asking('p', '2', 10), placed, [budget])).toEqual({ victims: ['free', 'guarded'], violations: 1 });
});

test('the node where the least harm is done is taken', () => {
  const candidate = (name: string, victims: readonly ReturnType<typeof aPod>[], violations = 0): Candidate => {
    const node = aCluster([aNode(name)]).node(name);
    if (node === undefined) throw new Error('no node');
    return { node, victims, violations };
  };
  const started = (name: string, startTime: string) => aPod(name, { status: { startTime } });
  const best = (...candidates: Candidate[]) => leastHarmful(candidates, 0)?.node.name;
  expect(best(candidate('guarded', [asking('x', '1')], 1), candidate('free', [asking('y', '1', 5)]))).toBe('free');
  expect(best(candidate('high', [asking('x', '1', 5)]), candidate('low', [asking('y', '1', 1), asking('z', '1', 1)]))).toBe('low');
  expect(best(candidate('two', [asking('x', '1'), asking('y', '1')]), candidate('one', [asking('z', '1')]))).toBe('one');
  expect(best(candidate('old', [started('x', '2026-01-01T00:00:00Z')]), candidate('new', [started('y', '2026-01-02T00:00:00Z')]))).toBe('new');
});

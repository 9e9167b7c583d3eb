import { beforeEach, expect, test } from 'vitest';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { aNode, aPod } from '../../../test/support/scheduler-cluster.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import type { Plugin } from '#scheduler/framework.ts';
import { type NodeEvent, nodeHint, podHint } from '#scheduler/queue/hints.ts';
import { SchedulingQueue } from '#scheduler/queue/scheduling-queue.ts';

/** Hears of new nodes that are named after a pod, and keeps pods outside that are called so. */
const plugin: Plugin = {
  name: 'Picky',
  admits: ({ pod }) => pod.spec.schedulingGates === undefined,
  hints: [
    nodeHint(['Add'], (pod, { after }) => after?.metadata.name === pod.name),
    podHint(['UpdateGatesEliminated'], (pod, { after }) => after?.uid === pod.uid),
  ],
};

let timers: ManualTimers;
let now: number;
let queue: SchedulingQueue;
beforeEach(() => {
  timers = new ManualTimers();
  now = 0;
  queue = new SchedulingQueue({ plugins: [plugin], clock: { now: () => new Date(now) }, timers, onReady: () => {} });
});

function pass(milliseconds: number): void {
  for (let left = milliseconds; left > 0; left -= 500) {
    now += 500;
    timers.advance(500);
  }
}

function nodeAdded(name: string): NodeEvent {
  return { of: 'Node', action: 'Add', before: undefined, after: aNode(name), info: undefined };
}

const taken = () => queue.take()?.facts.name;
const misfit = (pod: PodFacts) => {
  const queued = queue.take();
  if (queued === undefined) throw new Error('nothing to take');
  queue.giveBack(queued, pod, new Set(['Picky']));
};

test('the more important pod comes first, then the one that has waited longer', () => {
  queue.add(aPod('first'));
  queue.add(aPod('second'));
  queue.add(aPod('high', { spec: { priority: 10 } }));
  expect([taken(), taken(), taken(), taken()]).toEqual(['high', 'first', 'second', undefined]);
});

test('a pod that did not fit waits for an event that its plugin finds worth a look', () => {
  const pod = aPod('p');
  queue.add(pod);
  misfit(pod);
  expect(taken()).toBeUndefined();
  queue.move(nodeAdded('other'));
  expect(taken()).toBeUndefined();
  queue.move(nodeAdded('p'));
  expect(taken()).toBe('p');
});

test('it is taken out of back-off early when nothing else waits, and later when something does', () => {
  const pod = aPod('p');
  queue.add(pod);
  misfit(pod);
  queue.move(nodeAdded('p'));
  expect(queue.sizes).toMatchObject({ active: 0, backoff: 1 });
  queue.add(aPod('new'));
  expect([taken(), taken()]).toEqual(['new', 'p']);
});

test('a pod that could not be judged comes back after one second, two, four, at most ten', () => {
  const pod = aPod('p');
  queue.add(pod);
  for (const seconds of [1, 2, 4, 8, 10, 10]) {
    const queued = queue.take();
    if (queued === undefined) throw new Error('nothing to take');
    queue.giveBack(queued, pod, new Set());
    pass(seconds * 1_000);
    expect(queue.isEmpty).toBe(true);
    pass(1_000);
    expect(queue.isEmpty).toBe(false);
  }
});

test('a pod that is kept outside is let in when what keeps it says so', () => {
  const before = aPod('p', { spec: { schedulingGates: [{ name: 'g' }] } });
  queue.add(before);
  expect(queue.sizes).toMatchObject({ active: 0, gated: 1 });
  queue.move(nodeAdded('p'));
  expect(taken()).toBeUndefined();
  const after = aPod('p');
  queue.update(before, after, [{ of: 'Pod', action: 'UpdateGatesEliminated', before, after }]);
  expect(taken()).toBe('p');
});

test('a pod that nothing moves is tried again after five minutes', () => {
  const pod = aPod('p');
  queue.add(pod);
  misfit(pod);
  pass(4 * 60_000);
  expect(queue.isEmpty).toBe(true);
  pass(2 * 60_000);
  expect(taken()).toBe('p');
});

test('an idle queue sets no timers', () => {
  const pod = aPod('p');
  queue.add(pod);
  queue.take();
  pass(60_000);
  expect(timers.pending).toBe(0);
});

test('a pod that is gone is forgotten wherever it waits', () => {
  const pod = aPod('p', { status: { nominatedNodeName: 'a' } });
  queue.add(pod);
  expect([...queue.nominations.on('a')]).toHaveLength(1);
  misfit(pod);
  queue.remove(pod);
  queue.move(nodeAdded('p'));
  expect(taken()).toBeUndefined();
  expect(queue.nominations.isEmpty).toBe(true);
});

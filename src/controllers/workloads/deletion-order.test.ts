import { expect, test } from 'vitest';
import { podsToDelete } from '#controllers/workloads/deletion-order.ts';
import type { PodView } from '#controllers/workloads/pod-view.ts';

const now = 1_000_000_000;

function pod(name: string, facts: Partial<PodView> = {}): PodView {
  const defaults = {
    phase: 'Running',
    nodeName: `node-of-${name}`,
    targetNode: '',
    created: now - 100_000,
    readySince: now - 50_000,
    deletionCost: 0,
    restarts: 0,
    sidecarRestarts: 0,
  };
  return { namespace: 'default', name, uid: name, revision: 1, labels: {}, controller: undefined, isDeleting: false, ...defaults, ...facts };
}

/** The names in the order in which they would go; the last one stays. */
function order(...pods: readonly PodView[]): readonly string[] {
  const deleted = podsToDelete(pods, pods, pods.length - 1, now).map(({ name }) => name);
  return [...deleted, ...pods.map(({ name }) => name).filter((name) => !deleted.includes(name))];
}

test('pods that serve less go first', () => {
  expect(order(pod('assigned'), pod('unassigned', { nodeName: '' }))).toEqual(['unassigned', 'assigned']);
  expect(order(pod('running'), pod('unknown', { phase: 'Unknown' }), pod('pending', { phase: 'Pending' }))).toEqual(['pending', 'unknown', 'running']);
  expect(order(pod('ready'), pod('unready', { readySince: undefined }))).toEqual(['unready', 'ready']);
  expect(order(pod('dear', { deletionCost: 5 }), pod('cheap', { deletionCost: -5 }))).toEqual(['cheap', 'dear']);
  expect(order(pod('alone'), pod('one', { nodeName: 'n', uid: 'x' }), pod('two', { nodeName: 'n', uid: 'y' }))).toEqual(['one', 'two', 'alone']);
  expect(order(pod('calm'), pod('restarted', { restarts: 3 }))).toEqual(['restarted', 'calm']);
  expect(order(pod('calm'), pod('sidecar', { sidecarRestarts: 1 }))).toEqual(['sidecar', 'calm']);
});

test('the younger goes first, where it is younger by magnitude; otherwise chance decides, by uid', () => {
  expect(order(pod('old'), pod('new', { readySince: now - 1_000 }))).toEqual(['new', 'old']);
  expect(order(pod('b', { readySince: now - 50_000 }), pod('a', { readySince: now - 50_100 }))).toEqual(['a', 'b']);
  const unready = { readySince: undefined };
  expect(order(pod('old', unready), pod('new', { ...unready, created: now - 10 }))).toEqual(['new', 'old']);
});

test('pods of others on the same node count as neighbours', () => {
  const pods = [pod('a', { nodeName: 'quiet' }), pod('b', { nodeName: 'busy' })];
  const related = [...pods, pod('c', { nodeName: 'busy' }), pod('finished', { nodeName: 'quiet', phase: 'Failed' })];
  expect(podsToDelete(pods, related, 1, now).map(({ name }) => name)).toEqual(['b']);
});

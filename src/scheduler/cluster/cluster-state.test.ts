import { expect, test } from 'vitest';
import { labelSelectorFrom } from '#api/label-selector.ts';
import { aCluster, aNode, aPod } from '../../../test/support/scheduler-cluster.ts';

test('an assumed pod counts once, also when the server tells of it', () => {
  const cluster = aCluster([aNode('a')]);
  const pod = aPod('p', { requests: { cpu: '1' } });
  cluster.assume(pod.on('a'));
  expect(cluster.isAssumed(pod.uid)).toBe(true);
  expect(cluster.node('a')?.requested.cpu).toBe(1000);
  cluster.putPod(pod.on('a'));
  expect(cluster.isAssumed(pod.uid)).toBe(false);
  expect(cluster.node('a')?.requested.cpu).toBe(1000);
  cluster.dropPod(pod.uid);
  expect(cluster.node('a')?.requested.cpu).toBe(0);
  expect(cluster.node('a')?.requestedForScores.cpu).toBe(0);
});

test('nodes come in turn from all zones', () => {
  const zone = (name: string) => ({ labels: { 'topology.kubernetes.io/zone': name } });
  const cluster = aCluster([aNode('a1', zone('a')), aNode('a2', zone('a')), aNode('b1', zone('b')), aNode('a3', zone('a'))]);
  expect(cluster.nodes.map(({ name }) => name)).toEqual(['a1', 'b1', 'a2', 'a3']);
});

test('pods keep counting on a node that is gone, and are there when it comes back', () => {
  const cluster = aCluster([aNode('a')], { a: [aPod('p', { requests: { cpu: '1' } })] });
  cluster.dropNode('a');
  expect(cluster.nodes).toEqual([]);
  cluster.putNode(aNode('a'));
  expect(cluster.node('a')?.requested.cpu).toBe(1000);
});

test('counts of selected pods are kept in step with pods that come, go and are on their way out', () => {
  const cluster = aCluster([aNode('a'), aNode('b')], { a: [aPod('p', { labels: { app: 'x' } })] });
  const selector = labelSelectorFrom({ matchLabels: { app: 'x' } });
  const counts = () => Object.fromEntries([...cluster.selectedPods('default', selector)].filter(([, count]) => count > 0));
  expect(counts()).toEqual({ a: 1 });
  cluster.putPod(aPod('q', { labels: { app: 'x' } }).on('b'));
  cluster.putPod(aPod('r', { labels: { app: 'y' } }).on('b'));
  cluster.putPod(aPod('s', { labels: { app: 'x' }, namespace: 'other' }).on('b'));
  expect(counts()).toEqual({ a: 1, b: 1 });
  cluster.putPod(aPod('q', { labels: { app: 'x' }, metadata: { deletionTimestamp: 'now' } }).on('b'));
  expect(counts()).toEqual({ a: 1 });
  cluster.dropPod('default/p');
  expect(counts()).toEqual({});
});

test('an image is known by the nodes that have it', () => {
  const images = [{ names: ['app:v1'], sizeBytes: 100 }];
  const cluster = aCluster([aNode('a', { images }), aNode('b', { images })]);
  expect(cluster.node('a')?.images.get('app:v1')?.nodes.size).toBe(2);
  cluster.putNode(aNode('b'));
  expect(cluster.node('a')?.images.get('app:v1')?.nodes.size).toBe(1);
});

import { describe, expect, test } from 'vitest';
import { aCluster, aNode, aPod, type NodeWish, type PodWish, scores, verdicts } from '../../../test/support/scheduler-cluster.ts';
import { imageLocality } from '#scheduler/plugins/image-locality.ts';
import { nodeAffinity } from '#scheduler/plugins/node-affinity.ts';
import { nodeDeclaredFeatures } from '#scheduler/plugins/node-declared-features.ts';
import { nodeName } from '#scheduler/plugins/node-name.ts';
import { nodePorts } from '#scheduler/plugins/node-ports.ts';
import { nodeResourcesBalanced, nodeResourcesFit } from '#scheduler/plugins/node-resources.ts';
import { nodeUnschedulable } from '#scheduler/plugins/node-unschedulable.ts';
import { taintToleration } from '#scheduler/plugins/taint-toleration.ts';
import type { Plugin } from '#scheduler/framework.ts';

const required = (...nodeSelectorTerms: object[]) => ({
  spec: { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } },
});
const named = (operator: string, value: string) => ({ matchFields: [{ key: 'metadata.name', operator, values: [value] }] });
const port = (hostPort: number, more: object = {}) => ({ spec: { containers: [{ name: 'c', ports: [{ containerPort: 1, hostPort, ...more }] }] } });

const unmatched = "node(s) didn't match Pod's node affinity/selector";
const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

/** What the plugin says of the node `a`, which has these pods. */
const table: readonly (readonly [string, () => Plugin, NodeWish, PodWish, string, PodWish?])[] = [
  ['a cordoned node', nodeUnschedulable, { unschedulable: true }, {}, 'node(s) were unschedulable'],
  ['a cordoned node that is tolerated', nodeUnschedulable, { unschedulable: true }, { spec: { tolerations: [{ operator: 'Exists' }] } }, 'fits'],
  ['another name', nodeName, {}, { spec: { nodeName: 'b' } }, "node(s) didn't match the requested node name"],
  ['a taint', taintToleration, { taints: [taint] }, {}, 'node(s) had untolerated taint(s)'],
  ['a taint that is tolerated by value', taintToleration, { taints: [taint] }, { spec: { tolerations: [{ key: 'k', value: 'v' }] } }, 'fits'],
  [
    'a toleration of another effect',
    taintToleration,
    { taints: [taint] },
    { spec: { tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoExecute' }] } },
    'node(s) had untolerated taint(s)',
  ],
  ['a taint that only advises', taintToleration, { taints: [{ key: 'k', effect: 'PreferNoSchedule' }] }, {}, 'fits'],
  ['a label of the selector', nodeAffinity, { labels: { disk: 'ssd' } }, { spec: { nodeSelector: { disk: 'ssd' } } }, 'fits'],
  ['no such label', nodeAffinity, {}, { spec: { nodeSelector: { disk: 'ssd' } } }, unmatched],
  [
    'a number that is large enough',
    nodeAffinity,
    { labels: { rack: '7' } },
    required({ matchExpressions: [{ key: 'rack', operator: 'Gt', values: ['6'] }] }),
    'fits',
  ],
  [
    'one of the terms',
    nodeAffinity,
    { labels: { rack: '7' } },
    required({ matchExpressions: [{ key: 'no', operator: 'Exists' }] }, { matchExpressions: [{ key: 'rack', operator: 'Exists' }] }),
    'fits',
  ],
  ['an empty term matches nothing', nodeAffinity, {}, required({}), unmatched],
  ['its name', nodeAffinity, {}, required(named('In', 'a')), 'fits'],
  ['another name by affinity', nodeAffinity, {}, required(named('NotIn', 'a')), unmatched],
  [
    'names that exclude each other',
    nodeAffinity,
    {},
    required({ matchFields: [...named('In', 'a').matchFields, ...named('In', 'b').matchFields] }),
    'pod affinity terms conflict',
  ],
  ['a port that is taken', nodePorts, {}, port(80), "node(s) didn't have free ports for the requested pod ports", port(80, { hostIP: '10.0.0.1' })],
  ['a port of another address', nodePorts, {}, port(80, { hostIP: '10.0.0.2' }), 'fits', port(80, { hostIP: '10.0.0.1' })],
  ['a port of another protocol', nodePorts, {}, port(80, { protocol: 'UDP' }), 'fits', port(80)],
  ['too little processor', nodeResourcesFit, { allocatable: { cpu: '1' } }, { requests: { cpu: '600m' } }, 'Insufficient cpu', { requests: { cpu: '500m' } }],
  [
    'too little of several',
    nodeResourcesFit,
    { allocatable: { cpu: '1', memory: '1Gi' } },
    { requests: { cpu: '2', memory: '2Gi', 'example.com/gpu': '1' } },
    'Insufficient cpu,Insufficient memory,Insufficient example.com/gpu',
  ],
  ['too many pods', nodeResourcesFit, { allocatable: { pods: '1' } }, {}, 'Too many pods', {}],
  ['a pod that asks for nothing fits a node that is overfull', nodeResourcesFit, { allocatable: { cpu: '1' } }, {}, 'fits', { requests: { cpu: '2' } }],
  [
    'a feature that the node lacks',
    nodeDeclaredFeatures,
    {},
    { spec: { hostNetwork: true, hostUsers: false } },
    "node(s) didn't match Pod's required features",
  ],
  [
    'a feature that it declares',
    nodeDeclaredFeatures,
    { features: ['UserNamespacesHostNetworkSupport'] },
    { spec: { hostNetwork: true, hostUsers: false } },
    'fits',
  ],
];

for (const [name, plugin, node, pod, expected, placed] of table) {
  test(name, () => {
    const cluster = aCluster([aNode('a', node)], placed ? { a: [aPod('placed', placed)] } : {});
    expect(verdicts(plugin(), aPod('p', pod), cluster)).toEqual({ a: expected });
  });
}

test('a node that is too small even when it is empty is out of question for preemption', () => {
  const check = (cpu: string) => {
    const cluster = aCluster([aNode('a', { allocatable: { cpu: '1' } })], { a: [aPod('placed', { requests: { cpu: '1' } })] });
    const filter = nodeResourcesFit().filter?.(aPod('p', { requests: { cpu } }), cluster);
    const node = cluster.node('a');
    return filter && 'check' in filter && node && filter.check(node)?.isResolvable;
  };
  expect([check('1'), check('2')]).toEqual([true, false]);
});

describe('scores', () => {
  test('the emptier node is better', () => {
    const cluster = aCluster([aNode('empty'), aNode('used')], { used: [aPod('placed', { requests: { cpu: '2', memory: '4Gi' } })] });
    // (4000 - 1000) / 4000 and (8 - 2) / 8; then 1000 and 2 of what is left.
    expect(scores(nodeResourcesFit(), aPod('p', { requests: { cpu: '1', memory: '2Gi' } }), cluster)).toEqual({ empty: 75, used: 25 });
  });

  test('a pod that makes the use of both more even is better placed', () => {
    const cluster = aCluster([aNode('a'), aNode('b')], { a: [aPod('placed', { requests: { memory: '4Gi' } })] });
    const balanced = scores(nodeResourcesBalanced(), aPod('p', { requests: { cpu: '2' } }), cluster);
    expect(balanced).toEqual({ a: 87, b: 62 });
    expect(scores(nodeResourcesBalanced(), aPod('p'), cluster)).toBeUndefined();
  });

  test('nodes with fewer taints that advise against them are better', () => {
    const advice = (...keys: string[]) => ({ taints: keys.map((key) => ({ key, effect: 'PreferNoSchedule' })) });
    const cluster = aCluster([aNode('none'), aNode('one', advice('k')), aNode('two', advice('k', 'l'))]);
    expect(scores(taintToleration(), aPod('p'), cluster)).toEqual({ none: 100, one: 50, two: 0 });
    expect(scores(taintToleration(), aPod('p', { spec: { tolerations: [{ operator: 'Exists' }] } }), cluster)).toEqual({ none: 100, one: 100, two: 100 });
  });

  test('preferred terms count by their weights', () => {
    const preference = (key: string) => ({ matchExpressions: [{ key, operator: 'Exists' }] });
    const terms = [
      { weight: 10, preference: preference('x') },
      { weight: 30, preference: preference('y') },
    ];
    const pod = aPod('p', { spec: { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: terms } } } });
    const cluster = aCluster([aNode('none'), aNode('x', { labels: { x: '' } }), aNode('both', { labels: { x: '', y: '' } })]);
    expect(scores(nodeAffinity(), pod, cluster)).toEqual({ none: 0, x: 25, both: 100 });
    expect(scores(nodeAffinity(), aPod('q'), cluster)).toBeUndefined();
  });

  test('large images that many nodes have attract', () => {
    const images = (sizeBytes: number) => ({ images: [{ names: ['i:latest'], sizeBytes }] });
    const cluster = aCluster([aNode('a', images(1000 * 2 ** 20)), aNode('b', images(1000 * 2 ** 20)), aNode('c'), aNode('d')]);
    // Half of the nodes have it: 500 of 1000 MiB, above the 23 that do not count.
    expect(scores(imageLocality(), aPod('p'), cluster)).toEqual({ a: 48, b: 48, c: 0, d: 0 });
  });
});

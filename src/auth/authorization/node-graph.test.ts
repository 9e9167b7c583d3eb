import { expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import { podEdges, volumeEdges } from '#auth/authorization/node-edges.ts';
import { NodeGraph, vertex } from '#auth/authorization/node-graph.ts';

function pod(name: string, spec: object, more: object = {}): KubernetesObject {
  return { metadata: { namespace: 'ns', name, ...more }, spec: { nodeName: 'n', containers: [], ...spec }, status: {} };
}

function graphOf(...pods: KubernetesObject[]): NodeGraph {
  const graph = new NodeGraph();
  for (const object of pods) graph.put(vertex('pod', 'ns', object.metadata.name ?? ''), podEdges(object));
  return graph;
}

const secretRef = { name: 's' };

test.each<[string, object]>([
  ['an image pull secret', { imagePullSecrets: [secretRef] }],
  ['an environment', { containers: [{ env: [{ valueFrom: { secretKeyRef: secretRef } }] }] }],
  ['an environment of an init container', { initContainers: [{ envFrom: [{ secretRef }] }] }],
  ['an environment of an ephemeral container', { ephemeralContainers: [{ envFrom: [{ secretRef }] }] }],
  ['a volume', { volumes: [{ secret: { secretName: 's' } }] }],
  ['a projected volume', { volumes: [{ projected: { sources: [{ secret: secretRef }] } }] }],
  ['a CSI volume', { volumes: [{ csi: { nodePublishSecretRef: secretRef } }] }],
  ['an Azure file', { volumes: [{ azureFile: { secretName: 's' } }] }],
  ['a Ceph volume', { volumes: [{ cephfs: { secretRef } }] }],
  ['a block device', { volumes: [{ rbd: { secretRef } }] }],
])('%s gives the node of the pod its secret, and no other node or namespace', (_, spec) => {
  const graph = graphOf(pod('p', spec));
  expect(graph.reaches(vertex('secret', 'ns', 's'), 'n')).toBe(true);
  expect(graph.reaches(vertex('secret', 'ns', 's'), 'other')).toBe(false);
  expect(graph.reaches(vertex('secret', 'other', 's'), 'n')).toBe(false);
  expect(graph.reaches(vertex('configmap', 'ns', 's'), 'n')).toBe(false);
});

test('a mirror pod gives nothing but itself, a pod without a node not even that', () => {
  const mirror = graphOf(pod('m', { imagePullSecrets: [secretRef] }, { annotations: { 'kubernetes.io/config.mirror': 'x' } }));
  expect(mirror.reaches(vertex('pod', 'ns', 'm'), 'n')).toBe(true);
  expect(mirror.reaches(vertex('secret', 'ns', 's'), 'n')).toBe(false);
  expect(podEdges(pod('p', { nodeName: undefined }))).toEqual([]);
});

test('what several pods mention stays until the last of them goes', () => {
  const graph = graphOf(pod('a', { imagePullSecrets: [secretRef] }), pod('b', { imagePullSecrets: [secretRef] }));
  graph.remove(vertex('pod', 'ns', 'a'));
  expect(graph.reaches(vertex('secret', 'ns', 's'), 'n')).toBe(true);
  graph.put(vertex('pod', 'ns', 'b'), podEdges(pod('b', {})));
  expect(graph.reaches(vertex('secret', 'ns', 's'), 'n')).toBe(false);
});

test('claims of all kinds are found', () => {
  const volumes = [
    { name: 'v', ephemeral: {} },
    { name: 'w', persistentVolumeClaim: { claimName: 'c' } },
  ];
  const graph = graphOf(pod('p', { volumes, resourceClaims: [{ name: 'r', resourceClaimName: 'direct' }, { name: 't' }] }));
  for (const claim of ['p-v', 'c']) expect(graph.reaches(vertex('pvc', 'ns', claim), 'n')).toBe(true);
  expect(graph.reaches(vertex('resourceclaim', 'ns', 'direct'), 'n')).toBe(true);
  const made = pod('q', { resourceClaims: [{ name: 't' }] });
  made['status'] = { resourceClaimStatuses: [{ name: 't', resourceClaimName: 'made' }] };
  expect(graphOf(made).reaches(vertex('resourceclaim', 'ns', 'made'), 'n')).toBe(true);
});

test('a volume leads to its secrets only through the claim that a pod of the node uses', () => {
  const graph = graphOf(pod('p', { volumes: [{ name: 'w', persistentVolumeClaim: { claimName: 'c' } }] }));
  const csi = { nodeStageSecretRef: { name: 'stage', namespace: 'secrets' }, controllerExpandSecretRef: { name: 'expand', namespace: 'secrets' } };
  const volume = (claim: string): KubernetesObject => ({ metadata: { name: 'pv' }, spec: { csi, claimRef: { namespace: 'ns', name: claim } } });
  graph.put('pv//pv', volumeEdges(volume('c')));
  expect(graph.reaches(vertex('pv', '', 'pv'), 'n')).toBe(true);
  expect(graph.reaches(vertex('secret', 'secrets', 'stage'), 'n')).toBe(true);
  expect(graph.reaches(vertex('secret', 'secrets', 'expand'), 'n')).toBe(false);
  graph.put('pv//pv', volumeEdges(volume('unused')));
  expect(graph.reaches(vertex('secret', 'secrets', 'stage'), 'n')).toBe(false);
});

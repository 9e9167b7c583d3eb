// The pod of a DaemonSet for one node. The scheduler binds it; it may be bound nowhere else.
import type { KubernetesObject } from '#api/object.ts';
import { kinds } from '#client/kinds.ts';
import { daemonTolerations, type StoredDaemonSet } from '#controllers/workloads/daemon-set/daemon-nodes.ts';
import type { PodView } from '#controllers/workloads/pod-view.ts';
import { podFromTemplate } from '#controllers/workloads/pod-writes.ts';
import type { Affinity } from '#kinds/core/v1/container/affinity.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';

export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';

/** Undefined: the annotation of old clients is missing or no number. */
function templateGeneration({ metadata }: StoredDaemonSet): string | undefined {
  const text = metadata.annotations?.['deprecated.daemonset.template.generation'] ?? '';
  return /^[+-]?[0-9]+$/.test(text) ? String(BigInt(text)) : undefined;
}

export function isUpdated(set: StoredDaemonSet, { labels }: PodView, hash: string): boolean {
  const generation = templateGeneration(set);
  return labels[hashLabel] === hash || (generation !== undefined && labels[generationLabel] === generation);
}

export function daemonPod(set: StoredDaemonSet, hash: string, node: string): KubernetesObject {
  const { metadata, spec } = podFromTemplate(kinds.daemonSets, set, set.spec.template);
  const generation = templateGeneration(set);
  const labels = { ...metadata.labels, ...(generation !== undefined && { [generationLabel]: generation }), [hashLabel]: hash };
  const bound = { ...spec, affinity: onNode(spec?.affinity, node), tolerations: daemonTolerations(spec ?? ({} as PodSpec)) };
  return { kind: 'Pod', apiVersion: 'v1', metadata: { ...metadata, labels }, spec: bound };
}

function onNode(affinity: Affinity | undefined, node: string): Affinity {
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }];
  return { ...affinity, nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
}

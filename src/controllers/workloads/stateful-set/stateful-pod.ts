// A numbered pod of a StatefulSet.
import type { KubernetesObject } from '#api/object.ts';
import { kinds } from '#client/kinds.ts';
import { podFromTemplate } from '#controllers/workloads/pod-writes.ts';
import type { StoredPod } from '#controllers/workloads/pod-view.ts';
import { numbered, podIndexLabel, podNameLabel, podNameOf, revisionLabel, type StoredStatefulSet } from '#controllers/workloads/stateful-set/ordinals.ts';
import { volumesWith } from '#controllers/workloads/stateful-set/claims.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export function statefulPod(set: StoredStatefulSet, template: PodTemplateSpec, revision: string, ordinal: number): KubernetesObject {
  const { metadata, spec } = podFromTemplate(kinds.statefulSets, set, template);
  const name = podNameOf(set, ordinal);
  const labels = { ...metadata.labels, ...identityLabels(name), [revisionLabel]: revision };
  const volumes = volumesWith(set, name, spec?.volumes ?? []);
  const { serviceName } = set.spec;
  const hosted = { ...spec, hostname: name, ...(serviceName && { subdomain: serviceName }), ...(volumes.length > 0 && { volumes }) };
  return { kind: 'Pod', apiVersion: 'v1', metadata: { ...metadata, name, namespace: set.metadata.namespace, labels }, spec: hosted };
}

export function identityLabels(podName: string): Record<string, string> {
  return { [podNameLabel]: podName, [podIndexLabel]: String(numbered(podName)?.ordinal) };
}

/** The pod with the identity and the claims that its set gives it now. */
export function corrected(set: StoredStatefulSet, pod: StoredPod): StoredPod {
  const { name = '' } = pod.metadata;
  const labels = { ...pod.metadata.labels, ...identityLabels(name) };
  const volumes = volumesWith(set, name, pod.spec?.volumes ?? []);
  return { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, volumes } } as StoredPod;
}

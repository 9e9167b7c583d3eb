// The pods of a StatefulSet have numbers: which there should be, and what they are called.
import type { KubernetesObject } from '#api/object.ts';
import type { StatefulSet } from '#kinds/apps/v1/stateful-set.ts';

export type StoredStatefulSet = StatefulSet & KubernetesObject;

export const podNameLabel = 'statefulset.kubernetes.io/pod-name';
export const podIndexLabel = 'apps.kubernetes.io/pod-index';
export const revisionLabel = 'controller-revision-hash';

export function startOf({ spec }: StoredStatefulSet): number {
  return spec.ordinals?.start ?? 0;
}

export function replicasOf({ spec }: StoredStatefulSet): number {
  return spec.replicas ?? 0;
}

/** Undefined: the name is not that of a numbered pod. */
export function numbered(podName: string): { readonly parent: string; readonly ordinal: number } | undefined {
  const match = /^(.*)-([0-9]+)$/s.exec(podName);
  const ordinal = Number(match?.[2]);
  return match?.[1] === undefined || ordinal >= 2 ** 31 ? undefined : { parent: match[1], ordinal };
}

export function ordinalOf(podName: string): number {
  return numbered(podName)?.ordinal ?? -1;
}

export function isInRange(set: StoredStatefulSet, ordinal: number): boolean {
  return ordinal >= startOf(set) && ordinal < startOf(set) + replicasOf(set);
}

export function podNameOf({ metadata }: StoredStatefulSet, ordinal: number): string {
  return `${metadata.name}-${ordinal}`;
}

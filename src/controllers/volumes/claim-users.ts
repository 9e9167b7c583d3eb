// Which pods name a claim: by a volume of theirs, or by an ephemeral one whose claim has the pod's and the volume's name.
import type { KubernetesObject } from '#api/object.ts';
import type { Source, SourceItem } from '#api/source.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export type StoredPod = Pod & KubernetesObject;

/** The claims that a pod names, in the namespace of the pod. */
export function claimNamesOf({ metadata, spec }: StoredPod): readonly string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined);
    return claim === undefined ? [] : [claim];
  });
}

const volumesPath = [Buffer.from('spec'), Buffer.from('volumes')];

/** Pods that have not ended. Those without volumes are not parsed. */
export function usersOfClaim(pods: Source<StoredPod>): (namespace: string, name: string) => readonly StoredPod[] {
  const uses = (item: SourceItem<StoredPod>, name: string) =>
    item.valueAt(volumesPath) !== undefined && !hasEnded(item.object) && claimNamesOf(item.object).includes(name);
  return (namespace, name) => pods.list(namespace).flatMap((item) => (uses(item, name) ? [item.object] : []));
}

/** Over, or going with no container that runs: its volumes are free. */
export function hasEnded({ metadata, status }: StoredPod): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return true;
  if (metadata.deletionTimestamp === undefined) return false;
  const containers = [status?.initContainerStatuses, status?.containerStatuses, status?.ephemeralContainerStatuses].flatMap((some) => some ?? []);
  return containers.every(({ state }) => state?.terminated !== undefined || state?.waiting !== undefined);
}

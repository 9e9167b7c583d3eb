import type { KubernetesObject } from '#api/object.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';

const oldClassName = 'volume.beta.kubernetes.io/storage-class';

/** The old annotation wins over the field. */
export function storageClassOf({ metadata, spec }: PersistentVolumeClaim & KubernetesObject): string {
  return metadata.annotations?.[oldClassName] ?? spec.storageClassName ?? '';
}

import { TypedLocalObjectReference, TypedObjectReference } from '#kinds/core/v1/references.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { embedded, type Infer, list, map, optional, pointer, quantity, ref, string, struct } from '#schema/build.ts';

export const PersistentVolumeClaimSpec = struct('io.k8s.api.core.v1.PersistentVolumeClaimSpec', () => ({
  accessModes: optional(1, list(string), {
    enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    merge: 'atomic',
    goType: '[]v1.PersistentVolumeAccessMode',
  }),
  selector: pointer(4, ref<LabelSelector>(LabelSelector)),
  resources: embedded(2, ref<VolumeResourceRequirements>(VolumeResourceRequirements)),
  volumeName: optional(3, string),
  storageClassName: pointer(5, string),
  volumeMode: pointer(6, string, { enum: ['Block', 'Filesystem'], goType: 'v1.PersistentVolumeMode' }),
  dataSource: pointer(7, ref<TypedLocalObjectReference>(TypedLocalObjectReference)),
  dataSourceRef: pointer(8, ref<TypedObjectReference>(TypedObjectReference)),
  volumeAttributesClassName: pointer(9, string),
}));
export interface PersistentVolumeClaimSpec extends Infer<typeof PersistentVolumeClaimSpec> {}

export const VolumeResourceRequirements = struct('io.k8s.api.core.v1.VolumeResourceRequirements', () => ({
  limits: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
  requests: optional(2, map(quantity), { goType: 'v1.ResourceList' }),
}));
export interface VolumeResourceRequirements extends Infer<typeof VolumeResourceRequirements> {}

import { PersistentVolumeClaimSpec } from '#kinds/core/v1/volume/persistent-volume-claim-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, map, optional, pointer, quantity, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PersistentVolumeClaim = rootStruct(
  'io.k8s.api.core.v1.PersistentVolumeClaim',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PersistentVolumeClaimSpec>(PersistentVolumeClaimSpec)),
    status: embedded(3, ref<PersistentVolumeClaimStatus>(PersistentVolumeClaimStatus)),
  }),
  { gvks: [['', 'v1', 'PersistentVolumeClaim']] },
);
export interface PersistentVolumeClaim extends Infer<typeof PersistentVolumeClaim> {}

export const PersistentVolumeClaimList = rootStruct(
  'io.k8s.api.core.v1.PersistentVolumeClaimList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PersistentVolumeClaim>(PersistentVolumeClaim))),
  }),
  { gvks: [['', 'v1', 'PersistentVolumeClaimList']] },
);
export interface PersistentVolumeClaimList extends Infer<typeof PersistentVolumeClaimList> {}

export const PersistentVolumeClaimStatus = struct('io.k8s.api.core.v1.PersistentVolumeClaimStatus', () => ({
  phase: optional(1, string, { enum: ['Bound', 'Lost', 'Pending'], goType: 'v1.PersistentVolumeClaimPhase' }),
  accessModes: optional(2, list(string), {
    enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
    merge: 'atomic',
    goType: '[]v1.PersistentVolumeAccessMode',
  }),
  capacity: optional(3, map(quantity), { goType: 'v1.ResourceList' }),
  conditions: optional(4, list(ref<PersistentVolumeClaimCondition>(PersistentVolumeClaimCondition)), {
    merge: { keys: ['type'] },
    patch: { strategy: 'merge', key: 'type' },
  }),
  allocatedResources: optional(5, map(quantity), { goType: 'v1.ResourceList' }),
  allocatedResourceStatuses: optional(7, map(string), {
    enum: ['ControllerResizeInProgress', 'ControllerResizeInfeasible', 'NodeResizeInProgress', 'NodeResizeInfeasible', 'NodeResizePending'],
    atomic: false,
    goType: 'map[v1.ResourceName]v1.ClaimResourceStatus',
  }),
  currentVolumeAttributesClassName: pointer(8, string),
  modifyVolumeStatus: pointer(9, ref<ModifyVolumeStatus>(ModifyVolumeStatus)),
}));
export interface PersistentVolumeClaimStatus extends Infer<typeof PersistentVolumeClaimStatus> {}

export const PersistentVolumeClaimCondition = struct('io.k8s.api.core.v1.PersistentVolumeClaimCondition', () => ({
  type: required(1, string, { goType: 'v1.PersistentVolumeClaimConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastProbeTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
}));
export interface PersistentVolumeClaimCondition extends Infer<typeof PersistentVolumeClaimCondition> {}

export const ModifyVolumeStatus = struct('io.k8s.api.core.v1.ModifyVolumeStatus', () => ({
  targetVolumeAttributesClassName: optional(1, string),
  status: required(2, string, { enum: ['InProgress', 'Infeasible', 'Pending'], goType: 'v1.PersistentVolumeClaimModifyVolumeStatus' }),
}));
export interface ModifyVolumeStatus extends Infer<typeof ModifyVolumeStatus> {}

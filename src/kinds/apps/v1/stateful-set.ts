import { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, intOrString, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const StatefulSet = rootStruct(
  'io.k8s.api.apps.v1.StatefulSet',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<StatefulSetSpec>(StatefulSetSpec)),
    status: embedded(3, ref<StatefulSetStatus>(StatefulSetStatus)),
  }),
  { gvks: [['apps', 'v1', 'StatefulSet']] },
);
export interface StatefulSet extends Infer<typeof StatefulSet> {}

export const StatefulSetList = rootStruct(
  'io.k8s.api.apps.v1.StatefulSetList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<StatefulSet>(StatefulSet))),
  }),
  { gvks: [['apps', 'v1', 'StatefulSetList']] },
);
export interface StatefulSetList extends Infer<typeof StatefulSetList> {}

export const RollingUpdateStatefulSetStrategy = struct('io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy', () => ({
  partition: pointer(1, int32),
  maxUnavailable: pointer(2, intOrString),
}));
export interface RollingUpdateStatefulSetStrategy extends Infer<typeof RollingUpdateStatefulSetStrategy> {}

export const StatefulSetSpec = struct('io.k8s.api.apps.v1.StatefulSetSpec', () => ({
  replicas: pointer(1, int32),
  selector: pointer(2, ref<LabelSelector>(LabelSelector), { written: 'always', mandatory: true }),
  template: required(3, ref<PodTemplateSpec>(PodTemplateSpec)),
  volumeClaimTemplates: optional(4, list(ref<PersistentVolumeClaim>(PersistentVolumeClaim)), { merge: 'atomic' }),
  serviceName: optional(5, string, { written: 'always' }),
  podManagementPolicy: optional(6, string, { enum: ['OrderedReady', 'Parallel'], goType: 'v1.PodManagementPolicyType' }),
  updateStrategy: embedded(7, ref<StatefulSetUpdateStrategy>(StatefulSetUpdateStrategy)),
  revisionHistoryLimit: pointer(8, int32),
  minReadySeconds: optional(9, int32),
  persistentVolumeClaimRetentionPolicy: pointer(10, ref<StatefulSetPersistentVolumeClaimRetentionPolicy>(StatefulSetPersistentVolumeClaimRetentionPolicy)),
  ordinals: pointer(11, ref<StatefulSetOrdinals>(StatefulSetOrdinals)),
}));
export interface StatefulSetSpec extends Infer<typeof StatefulSetSpec> {}

export const StatefulSetUpdateStrategy = struct('io.k8s.api.apps.v1.StatefulSetUpdateStrategy', () => ({
  type: optional(1, string, { enum: ['OnDelete', 'RollingUpdate'], goType: 'v1.StatefulSetUpdateStrategyType' }),
  rollingUpdate: pointer(2, ref<RollingUpdateStatefulSetStrategy>(RollingUpdateStatefulSetStrategy)),
}));
export interface StatefulSetUpdateStrategy extends Infer<typeof StatefulSetUpdateStrategy> {}

export const StatefulSetPersistentVolumeClaimRetentionPolicy = struct('io.k8s.api.apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy', () => ({
  whenDeleted: optional(1, string, { goType: 'v1.PersistentVolumeClaimRetentionPolicyType' }),
  whenScaled: optional(2, string, { goType: 'v1.PersistentVolumeClaimRetentionPolicyType' }),
}));
export interface StatefulSetPersistentVolumeClaimRetentionPolicy extends Infer<typeof StatefulSetPersistentVolumeClaimRetentionPolicy> {}

export const StatefulSetOrdinals = struct('io.k8s.api.apps.v1.StatefulSetOrdinals', () => ({
  start: optional(1, int32, { written: 'always' }),
}));
export interface StatefulSetOrdinals extends Infer<typeof StatefulSetOrdinals> {}

export const StatefulSetStatus = struct('io.k8s.api.apps.v1.StatefulSetStatus', () => ({
  observedGeneration: optional(1, int64),
  replicas: required(2, int32),
  readyReplicas: optional(3, int32),
  currentReplicas: optional(4, int32),
  updatedReplicas: optional(5, int32),
  currentRevision: optional(6, string),
  updateRevision: optional(7, string),
  collisionCount: pointer(9, int32),
  conditions: optional(10, list(ref<StatefulSetCondition>(StatefulSetCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  availableReplicas: optional(11, int32, { written: 'always' }),
}));
export interface StatefulSetStatus extends Infer<typeof StatefulSetStatus> {}

export const StatefulSetCondition = struct('io.k8s.api.apps.v1.StatefulSetCondition', () => ({
  type: required(1, string, { goType: 'v1.StatefulSetConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface StatefulSetCondition extends Infer<typeof StatefulSetCondition> {}

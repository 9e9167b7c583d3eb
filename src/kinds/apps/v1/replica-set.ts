import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const ReplicaSet = rootStruct(
  'io.k8s.api.apps.v1.ReplicaSet',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ReplicaSetSpec>(ReplicaSetSpec)),
    status: embedded(3, ref<ReplicaSetStatus>(ReplicaSetStatus)),
  }),
  { gvks: [['apps', 'v1', 'ReplicaSet']] },
);
export interface ReplicaSet extends Infer<typeof ReplicaSet> {}

export const ReplicaSetList = rootStruct(
  'io.k8s.api.apps.v1.ReplicaSetList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ReplicaSet>(ReplicaSet))),
  }),
  { gvks: [['apps', 'v1', 'ReplicaSetList']] },
);
export interface ReplicaSetList extends Infer<typeof ReplicaSetList> {}

export const ReplicaSetSpec = struct('io.k8s.api.apps.v1.ReplicaSetSpec', () => ({
  replicas: pointer(1, int32),
  minReadySeconds: optional(4, int32),
  selector: pointer(2, ref<LabelSelector>(LabelSelector), { written: 'always', mandatory: true }),
  template: embedded(3, ref<PodTemplateSpec>(PodTemplateSpec)),
}));
export interface ReplicaSetSpec extends Infer<typeof ReplicaSetSpec> {}

export const ReplicaSetStatus = struct('io.k8s.api.apps.v1.ReplicaSetStatus', () => ({
  replicas: required(1, int32),
  fullyLabeledReplicas: optional(2, int32),
  readyReplicas: optional(4, int32),
  availableReplicas: optional(5, int32),
  terminatingReplicas: pointer(7, int32),
  observedGeneration: optional(3, int64),
  conditions: optional(6, list(ref<ReplicaSetCondition>(ReplicaSetCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface ReplicaSetStatus extends Infer<typeof ReplicaSetStatus> {}

export const ReplicaSetCondition = struct('io.k8s.api.apps.v1.ReplicaSetCondition', () => ({
  type: required(1, string, { goType: 'v1.ReplicaSetConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface ReplicaSetCondition extends Infer<typeof ReplicaSetCondition> {}

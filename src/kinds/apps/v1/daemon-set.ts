import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, intOrString, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const DaemonSet = rootStruct(
  'io.k8s.api.apps.v1.DaemonSet',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<DaemonSetSpec>(DaemonSetSpec)),
    status: embedded(3, ref<DaemonSetStatus>(DaemonSetStatus)),
  }),
  { gvks: [['apps', 'v1', 'DaemonSet']] },
);
export interface DaemonSet extends Infer<typeof DaemonSet> {}

export const DaemonSetList = rootStruct(
  'io.k8s.api.apps.v1.DaemonSetList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<DaemonSet>(DaemonSet))),
  }),
  { gvks: [['apps', 'v1', 'DaemonSetList']] },
);
export interface DaemonSetList extends Infer<typeof DaemonSetList> {}

export const DaemonSetSpec = struct('io.k8s.api.apps.v1.DaemonSetSpec', () => ({
  selector: pointer(1, ref<LabelSelector>(LabelSelector), { written: 'always', mandatory: true }),
  template: required(2, ref<PodTemplateSpec>(PodTemplateSpec)),
  updateStrategy: embedded(3, ref<DaemonSetUpdateStrategy>(DaemonSetUpdateStrategy)),
  minReadySeconds: optional(4, int32),
  revisionHistoryLimit: pointer(6, int32),
}));
export interface DaemonSetSpec extends Infer<typeof DaemonSetSpec> {}

export const DaemonSetUpdateStrategy = struct('io.k8s.api.apps.v1.DaemonSetUpdateStrategy', () => ({
  type: optional(1, string, { enum: ['OnDelete', 'RollingUpdate'], goType: 'v1.DaemonSetUpdateStrategyType' }),
  rollingUpdate: pointer(2, ref<RollingUpdateDaemonSet>(RollingUpdateDaemonSet)),
}));
export interface DaemonSetUpdateStrategy extends Infer<typeof DaemonSetUpdateStrategy> {}

export const RollingUpdateDaemonSet = struct('io.k8s.api.apps.v1.RollingUpdateDaemonSet', () => ({
  maxUnavailable: pointer(1, intOrString),
  maxSurge: pointer(2, intOrString),
}));
export interface RollingUpdateDaemonSet extends Infer<typeof RollingUpdateDaemonSet> {}

export const DaemonSetStatus = struct('io.k8s.api.apps.v1.DaemonSetStatus', () => ({
  currentNumberScheduled: required(1, int32),
  numberMisscheduled: required(2, int32),
  desiredNumberScheduled: required(3, int32),
  numberReady: required(4, int32),
  observedGeneration: optional(5, int64),
  updatedNumberScheduled: optional(6, int32),
  numberAvailable: optional(7, int32),
  numberUnavailable: optional(8, int32),
  collisionCount: pointer(9, int32),
  conditions: optional(10, list(ref<DaemonSetCondition>(DaemonSetCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface DaemonSetStatus extends Infer<typeof DaemonSetStatus> {}

export const DaemonSetCondition = struct('io.k8s.api.apps.v1.DaemonSetCondition', () => ({
  type: required(1, string, { goType: 'v1.DaemonSetConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface DaemonSetCondition extends Infer<typeof DaemonSetCondition> {}

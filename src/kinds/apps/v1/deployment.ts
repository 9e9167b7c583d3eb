import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import {
  boolean,
  embedded,
  type Infer,
  int32,
  int64,
  intOrString,
  list,
  optional,
  pointer,
  ref,
  required,
  rootStruct,
  string,
  struct,
  time,
} from '#schema/build.ts';

export const Deployment = rootStruct(
  'io.k8s.api.apps.v1.Deployment',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<DeploymentSpec>(DeploymentSpec)),
    status: embedded(3, ref<DeploymentStatus>(DeploymentStatus)),
  }),
  { gvks: [['apps', 'v1', 'Deployment']] },
);
export interface Deployment extends Infer<typeof Deployment> {}

export const DeploymentList = rootStruct(
  'io.k8s.api.apps.v1.DeploymentList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Deployment>(Deployment))),
  }),
  { gvks: [['apps', 'v1', 'DeploymentList']] },
);
export interface DeploymentList extends Infer<typeof DeploymentList> {}

export const DeploymentSpec = struct('io.k8s.api.apps.v1.DeploymentSpec', () => ({
  replicas: pointer(1, int32),
  selector: pointer(2, ref<LabelSelector>(LabelSelector), { written: 'always', mandatory: true }),
  template: required(3, ref<PodTemplateSpec>(PodTemplateSpec)),
  strategy: embedded(4, ref<DeploymentStrategy>(DeploymentStrategy), { patch: { strategy: 'retainKeys' } }),
  minReadySeconds: optional(5, int32),
  revisionHistoryLimit: pointer(6, int32),
  paused: optional(7, boolean),
  progressDeadlineSeconds: pointer(9, int32),
}));
export interface DeploymentSpec extends Infer<typeof DeploymentSpec> {}

export const DeploymentStrategy = struct('io.k8s.api.apps.v1.DeploymentStrategy', () => ({
  type: optional(1, string, { enum: ['Recreate', 'RollingUpdate'], goType: 'v1.DeploymentStrategyType' }),
  rollingUpdate: pointer(2, ref<RollingUpdateDeployment>(RollingUpdateDeployment)),
}));
export interface DeploymentStrategy extends Infer<typeof DeploymentStrategy> {}

export const RollingUpdateDeployment = struct('io.k8s.api.apps.v1.RollingUpdateDeployment', () => ({
  maxUnavailable: pointer(1, intOrString),
  maxSurge: pointer(2, intOrString),
}));
export interface RollingUpdateDeployment extends Infer<typeof RollingUpdateDeployment> {}

export const DeploymentStatus = struct('io.k8s.api.apps.v1.DeploymentStatus', () => ({
  observedGeneration: optional(1, int64),
  replicas: optional(2, int32),
  updatedReplicas: optional(3, int32),
  readyReplicas: optional(7, int32),
  availableReplicas: optional(4, int32),
  unavailableReplicas: optional(5, int32),
  terminatingReplicas: pointer(9, int32),
  conditions: optional(6, list(ref<DeploymentCondition>(DeploymentCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  collisionCount: pointer(8, int32),
}));
export interface DeploymentStatus extends Infer<typeof DeploymentStatus> {}

export const DeploymentCondition = struct('io.k8s.api.apps.v1.DeploymentCondition', () => ({
  type: required(1, string, { goType: 'v1.DeploymentConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastUpdateTime: optional(6, time),
  lastTransitionTime: optional(7, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface DeploymentCondition extends Infer<typeof DeploymentCondition> {}

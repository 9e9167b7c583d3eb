import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, list, map, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const ReplicationController = rootStruct(
  'io.k8s.api.core.v1.ReplicationController',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ReplicationControllerSpec>(ReplicationControllerSpec)),
    status: embedded(3, ref<ReplicationControllerStatus>(ReplicationControllerStatus)),
  }),
  { gvks: [['', 'v1', 'ReplicationController']] },
);
export interface ReplicationController extends Infer<typeof ReplicationController> {}

export const ReplicationControllerList = rootStruct(
  'io.k8s.api.core.v1.ReplicationControllerList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ReplicationController>(ReplicationController))),
  }),
  { gvks: [['', 'v1', 'ReplicationControllerList']] },
);
export interface ReplicationControllerList extends Infer<typeof ReplicationControllerList> {}

export const ReplicationControllerSpec = struct('io.k8s.api.core.v1.ReplicationControllerSpec', () => ({
  replicas: pointer(1, int32, { default: 1 }),
  minReadySeconds: optional(4, int32, { published: 0 }),
  selector: optional(2, map(string), { atomic: true }),
  template: pointer(3, ref<PodTemplateSpec>(PodTemplateSpec)),
}));
export interface ReplicationControllerSpec extends Infer<typeof ReplicationControllerSpec> {}

export const ReplicationControllerStatus = struct('io.k8s.api.core.v1.ReplicationControllerStatus', () => ({
  replicas: required(1, int32),
  fullyLabeledReplicas: optional(2, int32),
  readyReplicas: optional(4, int32),
  availableReplicas: optional(5, int32),
  observedGeneration: optional(3, int64),
  conditions: optional(6, list(ref<ReplicationControllerCondition>(ReplicationControllerCondition)), {
    merge: { keys: ['type'] },
    patch: { strategy: 'merge', key: 'type' },
  }),
}));
export interface ReplicationControllerStatus extends Infer<typeof ReplicationControllerStatus> {}

export const ReplicationControllerCondition = struct('io.k8s.api.core.v1.ReplicationControllerCondition', () => ({
  type: required(1, string, { goType: 'v1.ReplicationControllerConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface ReplicationControllerCondition extends Infer<typeof ReplicationControllerCondition> {}

import { CrossVersionObjectReference } from '#kinds/autoscaling/v1/cross-version-object-reference.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, list, pointer, ref, required, rootStruct, struct, time } from '#schema/build.ts';

export const HorizontalPodAutoscaler = rootStruct(
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscaler',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<HorizontalPodAutoscalerSpec>(HorizontalPodAutoscalerSpec), { mandatory: true }),
    status: embedded(3, ref<HorizontalPodAutoscalerStatus>(HorizontalPodAutoscalerStatus)),
  }),
  { gvks: [['autoscaling', 'v1', 'HorizontalPodAutoscaler']] },
);
export interface HorizontalPodAutoscaler extends Infer<typeof HorizontalPodAutoscaler> {}

export const HorizontalPodAutoscalerList = rootStruct(
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<HorizontalPodAutoscaler>(HorizontalPodAutoscaler))),
  }),
  { gvks: [['autoscaling', 'v1', 'HorizontalPodAutoscalerList']] },
);
export interface HorizontalPodAutoscalerList extends Infer<typeof HorizontalPodAutoscalerList> {}

export const HorizontalPodAutoscalerSpec = struct('io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: required(1, ref<CrossVersionObjectReference>(CrossVersionObjectReference)),
  minReplicas: pointer(2, int32),
  maxReplicas: required(3, int32),
  targetCPUUtilizationPercentage: pointer(4, int32),
}));
export interface HorizontalPodAutoscalerSpec extends Infer<typeof HorizontalPodAutoscalerSpec> {}

export const HorizontalPodAutoscalerStatus = struct('io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: pointer(1, int64),
  lastScaleTime: pointer(2, time),
  currentReplicas: required(3, int32),
  desiredReplicas: required(4, int32),
  currentCPUUtilizationPercentage: pointer(5, int32),
}));
export interface HorizontalPodAutoscalerStatus extends Infer<typeof HorizontalPodAutoscalerStatus> {}

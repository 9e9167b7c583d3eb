import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, list, optional, pointer, quantity, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const HorizontalPodAutoscaler = rootStruct(
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<HorizontalPodAutoscalerSpec>(HorizontalPodAutoscalerSpec), { mandatory: true }),
    status: embedded(3, ref<HorizontalPodAutoscalerStatus>(HorizontalPodAutoscalerStatus)),
  }),
  { gvks: [['autoscaling', 'v2', 'HorizontalPodAutoscaler']] },
);
export interface HorizontalPodAutoscaler extends Infer<typeof HorizontalPodAutoscaler> {}

export const HorizontalPodAutoscalerList = rootStruct(
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<HorizontalPodAutoscaler>(HorizontalPodAutoscaler))),
  }),
  { gvks: [['autoscaling', 'v2', 'HorizontalPodAutoscalerList']] },
);
export interface HorizontalPodAutoscalerList extends Infer<typeof HorizontalPodAutoscalerList> {}

export const ContainerResourceMetricSource = struct('io.k8s.api.autoscaling.v2.ContainerResourceMetricSource', () => ({
  name: required(1, string, { goType: 'v1.ResourceName' }),
  target: required(2, ref<MetricTarget>(MetricTarget)),
  container: required(3, string),
}));
export interface ContainerResourceMetricSource extends Infer<typeof ContainerResourceMetricSource> {}

export const MetricTarget = struct('io.k8s.api.autoscaling.v2.MetricTarget', () => ({
  type: required(1, string, { goType: 'v2.MetricTargetType' }),
  value: pointer(2, quantity),
  averageValue: pointer(3, quantity),
  averageUtilization: pointer(4, int32),
}));
export interface MetricTarget extends Infer<typeof MetricTarget> {}

export const ContainerResourceMetricStatus = struct('io.k8s.api.autoscaling.v2.ContainerResourceMetricStatus', () => ({
  name: required(1, string, { goType: 'v1.ResourceName' }),
  current: required(2, ref<MetricValueStatus>(MetricValueStatus)),
  container: required(3, string),
}));
export interface ContainerResourceMetricStatus extends Infer<typeof ContainerResourceMetricStatus> {}

export const MetricValueStatus = struct('io.k8s.api.autoscaling.v2.MetricValueStatus', () => ({
  value: pointer(1, quantity),
  averageValue: pointer(2, quantity),
  averageUtilization: pointer(3, int32),
}));
export interface MetricValueStatus extends Infer<typeof MetricValueStatus> {}

export const CrossVersionObjectReference = struct('io.k8s.api.autoscaling.v2.CrossVersionObjectReference', () => ({
  kind: required(1, string),
  name: required(2, string),
  apiVersion: optional(3, string),
}));
export interface CrossVersionObjectReference extends Infer<typeof CrossVersionObjectReference> {}

export const ExternalMetricSource = struct('io.k8s.api.autoscaling.v2.ExternalMetricSource', () => ({
  metric: required(1, ref<MetricIdentifier>(MetricIdentifier)),
  target: required(2, ref<MetricTarget>(MetricTarget)),
}));
export interface ExternalMetricSource extends Infer<typeof ExternalMetricSource> {}

export const MetricIdentifier = struct('io.k8s.api.autoscaling.v2.MetricIdentifier', () => ({
  name: required(1, string),
  selector: pointer(2, ref<LabelSelector>(LabelSelector)),
}));
export interface MetricIdentifier extends Infer<typeof MetricIdentifier> {}

export const ExternalMetricStatus = struct('io.k8s.api.autoscaling.v2.ExternalMetricStatus', () => ({
  metric: required(1, ref<MetricIdentifier>(MetricIdentifier)),
  current: required(2, ref<MetricValueStatus>(MetricValueStatus)),
}));
export interface ExternalMetricStatus extends Infer<typeof ExternalMetricStatus> {}

export const HPAScalingPolicy = struct('io.k8s.api.autoscaling.v2.HPAScalingPolicy', () => ({
  type: required(1, string, { goType: 'v2.HPAScalingPolicyType' }),
  value: required(2, int32),
  periodSeconds: required(3, int32),
}));
export interface HPAScalingPolicy extends Infer<typeof HPAScalingPolicy> {}

export const HPAScalingRules = struct('io.k8s.api.autoscaling.v2.HPAScalingRules', () => ({
  stabilizationWindowSeconds: pointer(3, int32),
  selectPolicy: pointer(1, string, { goType: 'v2.ScalingPolicySelect' }),
  policies: optional(2, list(ref<HPAScalingPolicy>(HPAScalingPolicy)), { merge: 'atomic' }),
  tolerance: pointer(4, quantity),
}));
export interface HPAScalingRules extends Infer<typeof HPAScalingRules> {}

export const HorizontalPodAutoscalerSpec = struct('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec', () => ({
  scaleTargetRef: required(1, ref<CrossVersionObjectReference>(CrossVersionObjectReference)),
  minReplicas: pointer(2, int32),
  maxReplicas: required(3, int32),
  metrics: optional(4, list(ref<MetricSpec>(MetricSpec)), { merge: 'atomic' }),
  behavior: pointer(5, ref<HorizontalPodAutoscalerBehavior>(HorizontalPodAutoscalerBehavior)),
}));
export interface HorizontalPodAutoscalerSpec extends Infer<typeof HorizontalPodAutoscalerSpec> {}

export const MetricSpec = struct('io.k8s.api.autoscaling.v2.MetricSpec', () => ({
  type: required(1, string, { goType: 'v2.MetricSourceType' }),
  object: pointer(2, ref<ObjectMetricSource>(ObjectMetricSource)),
  pods: pointer(3, ref<PodsMetricSource>(PodsMetricSource)),
  resource: pointer(4, ref<ResourceMetricSource>(ResourceMetricSource)),
  containerResource: pointer(7, ref<ContainerResourceMetricSource>(ContainerResourceMetricSource)),
  external: pointer(5, ref<ExternalMetricSource>(ExternalMetricSource)),
}));
export interface MetricSpec extends Infer<typeof MetricSpec> {}

export const ObjectMetricSource = struct('io.k8s.api.autoscaling.v2.ObjectMetricSource', () => ({
  describedObject: required(1, ref<CrossVersionObjectReference>(CrossVersionObjectReference)),
  target: required(2, ref<MetricTarget>(MetricTarget)),
  metric: required(3, ref<MetricIdentifier>(MetricIdentifier)),
}));
export interface ObjectMetricSource extends Infer<typeof ObjectMetricSource> {}

export const PodsMetricSource = struct('io.k8s.api.autoscaling.v2.PodsMetricSource', () => ({
  metric: required(1, ref<MetricIdentifier>(MetricIdentifier)),
  target: required(2, ref<MetricTarget>(MetricTarget)),
}));
export interface PodsMetricSource extends Infer<typeof PodsMetricSource> {}

export const ResourceMetricSource = struct('io.k8s.api.autoscaling.v2.ResourceMetricSource', () => ({
  name: required(1, string, { goType: 'v1.ResourceName' }),
  target: required(2, ref<MetricTarget>(MetricTarget)),
}));
export interface ResourceMetricSource extends Infer<typeof ResourceMetricSource> {}

export const HorizontalPodAutoscalerBehavior = struct('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerBehavior', () => ({
  scaleUp: pointer(1, ref<HPAScalingRules>(HPAScalingRules)),
  scaleDown: pointer(2, ref<HPAScalingRules>(HPAScalingRules)),
}));
export interface HorizontalPodAutoscalerBehavior extends Infer<typeof HorizontalPodAutoscalerBehavior> {}

export const HorizontalPodAutoscalerStatus = struct('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerStatus', () => ({
  observedGeneration: pointer(1, int64),
  lastScaleTime: pointer(2, time),
  currentReplicas: optional(3, int32),
  desiredReplicas: required(4, int32),
  currentMetrics: optional(5, list(ref<MetricStatus>(MetricStatus)), { written: 'always', merge: 'atomic' }),
  conditions: optional(6, list(ref<HorizontalPodAutoscalerCondition>(HorizontalPodAutoscalerCondition)), {
    merge: { keys: ['type'] },
    patch: { strategy: 'merge', key: 'type' },
  }),
}));
export interface HorizontalPodAutoscalerStatus extends Infer<typeof HorizontalPodAutoscalerStatus> {}

export const MetricStatus = struct('io.k8s.api.autoscaling.v2.MetricStatus', () => ({
  type: required(1, string, { goType: 'v2.MetricSourceType' }),
  object: pointer(2, ref<ObjectMetricStatus>(ObjectMetricStatus)),
  pods: pointer(3, ref<PodsMetricStatus>(PodsMetricStatus)),
  resource: pointer(4, ref<ResourceMetricStatus>(ResourceMetricStatus)),
  containerResource: pointer(7, ref<ContainerResourceMetricStatus>(ContainerResourceMetricStatus)),
  external: pointer(5, ref<ExternalMetricStatus>(ExternalMetricStatus)),
}));
export interface MetricStatus extends Infer<typeof MetricStatus> {}

export const ObjectMetricStatus = struct('io.k8s.api.autoscaling.v2.ObjectMetricStatus', () => ({
  metric: required(1, ref<MetricIdentifier>(MetricIdentifier)),
  current: required(2, ref<MetricValueStatus>(MetricValueStatus)),
  describedObject: required(3, ref<CrossVersionObjectReference>(CrossVersionObjectReference)),
}));
export interface ObjectMetricStatus extends Infer<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = struct('io.k8s.api.autoscaling.v2.PodsMetricStatus', () => ({
  metric: required(1, ref<MetricIdentifier>(MetricIdentifier)),
  current: required(2, ref<MetricValueStatus>(MetricValueStatus)),
}));
export interface PodsMetricStatus extends Infer<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = struct('io.k8s.api.autoscaling.v2.ResourceMetricStatus', () => ({
  name: required(1, string, { goType: 'v1.ResourceName' }),
  current: required(2, ref<MetricValueStatus>(MetricValueStatus)),
}));
export interface ResourceMetricStatus extends Infer<typeof ResourceMetricStatus> {}

export const HorizontalPodAutoscalerCondition = struct('io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition', () => ({
  type: required(1, string, { goType: 'v2.HorizontalPodAutoscalerConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface HorizontalPodAutoscalerCondition extends Infer<typeof HorizontalPodAutoscalerCondition> {}

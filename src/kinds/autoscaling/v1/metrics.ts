import { CrossVersionObjectReference } from '#kinds/autoscaling/v1/cross-version-object-reference.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { type Infer, int32, optional, pointer, quantity, ref, required, string, struct, time } from '#schema/build.ts';

export const ContainerResourceMetricSource = struct(
  'io.k8s.api.autoscaling.v1.ContainerResourceMetricSource',
  () => ({
    name: required(1, string, { goType: 'v1.ResourceName' }),
    targetAverageUtilization: pointer(2, int32),
    targetAverageValue: pointer(3, quantity),
    container: required(5, string),
  }),
  { unpublished: true },
);
export interface ContainerResourceMetricSource extends Infer<typeof ContainerResourceMetricSource> {}

export const ContainerResourceMetricStatus = struct(
  'io.k8s.api.autoscaling.v1.ContainerResourceMetricStatus',
  () => ({
    name: required(1, string, { goType: 'v1.ResourceName' }),
    currentAverageUtilization: pointer(2, int32),
    currentAverageValue: required(3, quantity),
    container: required(4, string),
  }),
  { unpublished: true },
);
export interface ContainerResourceMetricStatus extends Infer<typeof ContainerResourceMetricStatus> {}

export const ExternalMetricSource = struct(
  'io.k8s.api.autoscaling.v1.ExternalMetricSource',
  () => ({
    metricName: required(1, string),
    metricSelector: pointer(2, ref<LabelSelector>(LabelSelector)),
    targetValue: pointer(3, quantity),
    targetAverageValue: pointer(4, quantity),
  }),
  { unpublished: true },
);
export interface ExternalMetricSource extends Infer<typeof ExternalMetricSource> {}

export const ExternalMetricStatus = struct(
  'io.k8s.api.autoscaling.v1.ExternalMetricStatus',
  () => ({
    metricName: required(1, string),
    metricSelector: pointer(2, ref<LabelSelector>(LabelSelector)),
    currentValue: required(3, quantity),
    currentAverageValue: pointer(4, quantity),
  }),
  { unpublished: true },
);
export interface ExternalMetricStatus extends Infer<typeof ExternalMetricStatus> {}

export const HorizontalPodAutoscalerCondition = struct(
  'io.k8s.api.autoscaling.v1.HorizontalPodAutoscalerCondition',
  () => ({
    type: required(1, string, { goType: 'v1.HorizontalPodAutoscalerConditionType' }),
    status: required(2, string, { goType: 'v1.ConditionStatus' }),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
  }),
  { unpublished: true },
);
export interface HorizontalPodAutoscalerCondition extends Infer<typeof HorizontalPodAutoscalerCondition> {}

export const MetricSpec = struct(
  'io.k8s.api.autoscaling.v1.MetricSpec',
  () => ({
    type: required(1, string, { enum: ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'], goType: 'v1.MetricSourceType' }),
    object: pointer(2, ref<ObjectMetricSource>(ObjectMetricSource)),
    pods: pointer(3, ref<PodsMetricSource>(PodsMetricSource)),
    resource: pointer(4, ref<ResourceMetricSource>(ResourceMetricSource)),
    containerResource: pointer(7, ref<ContainerResourceMetricSource>(ContainerResourceMetricSource)),
    external: pointer(5, ref<ExternalMetricSource>(ExternalMetricSource)),
  }),
  { unpublished: true },
);
export interface MetricSpec extends Infer<typeof MetricSpec> {}

export const ObjectMetricSource = struct(
  'io.k8s.api.autoscaling.v1.ObjectMetricSource',
  () => ({
    target: required(1, ref<CrossVersionObjectReference>(CrossVersionObjectReference)),
    metricName: required(2, string),
    targetValue: required(3, quantity),
    selector: pointer(4, ref<LabelSelector>(LabelSelector)),
    averageValue: pointer(5, quantity),
  }),
  { unpublished: true },
);
export interface ObjectMetricSource extends Infer<typeof ObjectMetricSource> {}

export const PodsMetricSource = struct(
  'io.k8s.api.autoscaling.v1.PodsMetricSource',
  () => ({
    metricName: required(1, string),
    targetAverageValue: required(2, quantity),
    selector: pointer(3, ref<LabelSelector>(LabelSelector)),
  }),
  { unpublished: true },
);
export interface PodsMetricSource extends Infer<typeof PodsMetricSource> {}

export const ResourceMetricSource = struct(
  'io.k8s.api.autoscaling.v1.ResourceMetricSource',
  () => ({
    name: required(1, string, { goType: 'v1.ResourceName' }),
    targetAverageUtilization: pointer(2, int32),
    targetAverageValue: pointer(3, quantity),
  }),
  { unpublished: true },
);
export interface ResourceMetricSource extends Infer<typeof ResourceMetricSource> {}

export const MetricStatus = struct(
  'io.k8s.api.autoscaling.v1.MetricStatus',
  () => ({
    type: required(1, string, { enum: ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'], goType: 'v1.MetricSourceType' }),
    object: pointer(2, ref<ObjectMetricStatus>(ObjectMetricStatus)),
    pods: pointer(3, ref<PodsMetricStatus>(PodsMetricStatus)),
    resource: pointer(4, ref<ResourceMetricStatus>(ResourceMetricStatus)),
    containerResource: pointer(7, ref<ContainerResourceMetricStatus>(ContainerResourceMetricStatus)),
    external: pointer(5, ref<ExternalMetricStatus>(ExternalMetricStatus)),
  }),
  { unpublished: true },
);
export interface MetricStatus extends Infer<typeof MetricStatus> {}

export const ObjectMetricStatus = struct(
  'io.k8s.api.autoscaling.v1.ObjectMetricStatus',
  () => ({
    target: required(1, ref<CrossVersionObjectReference>(CrossVersionObjectReference)),
    metricName: required(2, string),
    currentValue: required(3, quantity),
    selector: pointer(4, ref<LabelSelector>(LabelSelector)),
    averageValue: pointer(5, quantity),
  }),
  { unpublished: true },
);
export interface ObjectMetricStatus extends Infer<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = struct(
  'io.k8s.api.autoscaling.v1.PodsMetricStatus',
  () => ({
    metricName: required(1, string),
    currentAverageValue: required(2, quantity),
    selector: pointer(3, ref<LabelSelector>(LabelSelector)),
  }),
  { unpublished: true },
);
export interface PodsMetricStatus extends Infer<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = struct(
  'io.k8s.api.autoscaling.v1.ResourceMetricStatus',
  () => ({
    name: required(1, string, { goType: 'v1.ResourceName' }),
    currentAverageUtilization: pointer(2, int32),
    currentAverageValue: required(3, quantity),
  }),
  { unpublished: true },
);
export interface ResourceMetricStatus extends Infer<typeof ResourceMetricStatus> {}

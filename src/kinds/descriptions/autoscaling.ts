import { condition, type GroupTexts, specAndStatus } from '#kinds/descriptions/group-texts.ts';

const target = {
  scaleTargetRef: 'What is scaled: something with a scale subresource.',
  minReplicas: 'The fewest pods. Default: 1.',
  maxReplicas: 'The most pods.',
} as const;

const progress = {
  observedGeneration: 'Generation that the status describes.',
  lastScaleTime: 'When the number of pods was last changed.',
  currentReplicas: 'Pods there are.',
  desiredReplicas: 'Pods that are wanted.',
} as const;

const reference = {
  '': 'Points to what is scaled.',
  kind: 'Kind of the object.',
  name: 'Name of the object.',
  apiVersion: 'Group and version of the object.',
} as const;

const metrics = {
  type: 'Object, Pods, Resource, ContainerResource or External.',
  object: 'A metric of one object.',
  pods: 'A metric of each pod, as average.',
  resource: 'CPU or memory of the pods.',
  containerResource: 'CPU or memory of one container in each pod.',
  external: 'A metric from outside the cluster.',
} as const;

const measured = { metric: 'The metric.', target: 'The wanted value.', current: 'The value now.' } as const;

export const autoscalingTexts: readonly GroupTexts[] = [
  {
    package: 'io.k8s.api.autoscaling.v1',
    structs: {
      HorizontalPodAutoscaler: { '': 'Sets the number of pods by their use of CPU.', ...specAndStatus },
      HorizontalPodAutoscalerSpec: {
        '': 'What is scaled within which limits.',
        ...target,
        targetCPUUtilizationPercentage: 'Wanted use of CPU, in percent of what the pods request.',
      },
      HorizontalPodAutoscalerStatus: {
        '': 'What the autoscaler sees.',
        ...progress,
        currentCPUUtilizationPercentage: 'Use of CPU, in percent of what the pods request.',
      },
      CrossVersionObjectReference: reference,
      Scale: { '': 'The number of pods of an object, whatever its kind.', ...specAndStatus },
      ScaleSpec: { '': 'The wanted number.', replicas: 'Number of pods that is wanted.' },
      ScaleStatus: { '': 'The number there is.', replicas: 'Pods there are.', selector: 'Label selector of the pods, as text.' },
    },
  },
  {
    package: 'io.k8s.api.autoscaling.v2',
    structs: {
      HorizontalPodAutoscaler: { '': 'Sets the number of pods by metrics.', ...specAndStatus },
      HorizontalPodAutoscalerSpec: {
        '': 'What is scaled, by which metrics, within which limits.',
        ...target,
        metrics: 'The metrics; the one that asks for the most pods wins. Default: 80 % of the requested CPU.',
        behavior: 'How fast the number may change.',
      },
      HorizontalPodAutoscalerStatus: {
        '': 'What the autoscaler sees.',
        ...progress,
        currentMetrics: 'The metrics now.',
        conditions: 'Aspects such as AbleToScale, ScalingActive and ScalingLimited.',
      },
      HorizontalPodAutoscalerCondition: condition('One aspect of the state of an autoscaler.'),
      HorizontalPodAutoscalerBehavior: { '': 'How fast the number of pods may change.', scaleUp: 'When it grows.', scaleDown: 'When it shrinks.' },
      HPAScalingRules: {
        '': 'How fast the number may change in one direction.',
        stabilizationWindowSeconds: 'Looks back so many seconds for the most careful number. Default: 0 up, 300 down.',
        selectPolicy: 'Max (the default), Min, or Disabled for no change.',
        policies: 'Limits for a change.',
        tolerance: 'Deviation from the wanted value that changes nothing. Default: 10 %.',
      },
      HPAScalingPolicy: {
        '': 'A limit for a change.',
        type: 'Pods or Percent.',
        value: 'The most by which the number may change.',
        periodSeconds: 'In so many seconds.',
      },
      MetricSpec: { '': 'A metric and its wanted value.', ...metrics },
      MetricStatus: { '': 'A metric and its value.', ...metrics },
      MetricIdentifier: { '': 'A metric.', name: 'Its name.', selector: 'Its labels.' },
      MetricTarget: {
        '': 'A wanted value.',
        type: 'Utilization, Value or AverageValue.',
        value: 'As a whole.',
        averageValue: 'Per pod.',
        averageUtilization: 'Per pod, in percent of what it requests.',
      },
      MetricValueStatus: {
        '': 'A value.',
        value: 'As a whole.',
        averageValue: 'Per pod.',
        averageUtilization: 'Per pod, in percent of what it requests.',
      },
      ObjectMetricSource: { '': 'A metric of one object.', describedObject: 'The object.', metric: measured.metric, target: measured.target },
      ObjectMetricStatus: { '': 'A metric of one object.', describedObject: 'The object.', metric: measured.metric, current: measured.current },
      PodsMetricSource: { '': 'A metric of each pod.', metric: measured.metric, target: measured.target },
      PodsMetricStatus: { '': 'A metric of each pod.', metric: measured.metric, current: measured.current },
      ResourceMetricSource: { '': 'CPU or memory of the pods.', name: 'cpu or memory.', target: measured.target },
      ResourceMetricStatus: { '': 'CPU or memory of the pods.', name: 'cpu or memory.', current: measured.current },
      ContainerResourceMetricSource: {
        '': 'CPU or memory of one container in each pod.',
        name: 'cpu or memory.',
        target: measured.target,
        container: 'The container.',
      },
      ContainerResourceMetricStatus: {
        '': 'CPU or memory of one container in each pod.',
        name: 'cpu or memory.',
        current: measured.current,
        container: 'The container.',
      },
      ExternalMetricSource: { '': 'A metric from outside the cluster.', metric: measured.metric, target: measured.target },
      ExternalMetricStatus: { '': 'A metric from outside the cluster.', metric: measured.metric, current: measured.current },
      CrossVersionObjectReference: reference,
    },
  },
];

import { horizontalpodautoscalers } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'one', namespace: 'default' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 5,
    metrics: [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } },
    ],
    behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 15 }] } },
  },
};

describeRefusals('autoscalers', horizontalpodautoscalers, valid, [
  ['no replicas at least', { 'spec.minReplicas': -1 }, 'spec.minReplicas: Invalid value: -1: must be greater than or equal to 1'],
  [
    'no replicas at most',
    { 'spec.maxReplicas': -1 },
    'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
    'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
  ],
  ['a target without kind', { 'spec.scaleTargetRef.kind': '' }, 'spec.scaleTargetRef.kind: Required value'],
  [
    'a target of the core group',
    { 'spec.scaleTargetRef.apiVersion': 'v1' },
    'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
  ],
  ['a metric without name', { 'spec.metrics.1.pods.metric.name': '' }, 'spec.metrics[1].pods.metric.name: Required value: must specify a metric name'],
  [
    'a target of another type',
    { 'spec.metrics.0.resource.target.type': 'Bogus' },
    'spec.metrics[0].resource.target.type: Invalid value: "Bogus": must be either Utilization, Value, or AverageValue',
  ],
  [
    'a target of nothing',
    { 'spec.metrics.0.resource.target.averageUtilization': 0 },
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
  ],
  [
    'two targets',
    { 'spec.metrics.0.resource.target.averageValue': '1' },
    'spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization',
  ],
  [
    'a policy of another type',
    { 'spec.behavior.scaleUp.policies.0.type': 'Bogus' },
    'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Bogus": supported values: "Percent", "Pods"',
  ],
  [
    'a window that is too long',
    { 'spec.behavior.scaleUp.stabilizationWindowSeconds': 3601 },
    'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
  ],
]);

import { horizontalpodautoscalers } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const scalesToZero = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'one' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 0,
    maxReplicas: 5,
    metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '10' } } }],
  },
};

describeRefusals(
  'autoscalers that go down to nothing',
  horizontalpodautoscalers,
  scalesToZero,
  [
    [
      'nothing to wake up for',
      { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }] },
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ],
  ],
  { gates: { HPAScaleToZero: 'true' } },
);

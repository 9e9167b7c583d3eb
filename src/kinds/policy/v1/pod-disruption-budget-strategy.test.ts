import { poddisruptionbudgets } from '#kinds/policy/v1/pod-disruption-budget-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'one', namespace: 'default' },
  spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
};

describeRefusals('disruption budgets', poddisruptionbudgets, valid, [
  ['a negative amount', { 'spec.minAvailable': -1 }, 'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0'],
  ['more than all', { 'spec.minAvailable': '101%' }, 'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
  [
    'both amounts',
    { 'spec.maxUnavailable': 1 },
    'spec: Invalid value: {"MinAvailable":"50%","Selector":{"matchLabels":{"app":"web"}},"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":"AlwaysAllow"}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    'an unknown policy',
    { 'spec.unhealthyPodEvictionPolicy': 'Bogus' },
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Bogus": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ],
]);

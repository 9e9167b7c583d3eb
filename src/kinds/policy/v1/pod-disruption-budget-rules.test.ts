import { poddisruptionbudgets } from '#kinds/policy/v1/pod-disruption-budget-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'one' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
};

describeRefusals('budgets', poddisruptionbudgets, budget, [
  ['a minimum below zero', { 'spec.minAvailable': -1 }, 'spec.minAvailable: Invalid value: -1: must be greater than or equal to 0'],
  ['a minimum of more than all', { 'spec.minAvailable': '101%' }, 'spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
  [
    'a minimum that is none',
    { 'spec.minAvailable': 'some' },
    "spec.minAvailable: Invalid value: \"some\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
  ],
  [
    'a maximum below zero',
    { 'spec.minAvailable': undefined, 'spec.maxUnavailable': -1 },
    'spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a maximum of more than all',
    { 'spec.minAvailable': undefined, 'spec.maxUnavailable': '101%' },
    'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
  ],
  [
    'a selector with an unknown operator',
    { 'spec.selector': { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
  ],
  [
    'a selector with an odd label',
    { 'spec.selector': { matchLabels: { a: '-' } } },
    "spec.selector.matchLabels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  ],
]);

describeUpdateRefusals(
  'status of budgets',
  poddisruptionbudgets,
  budget,
  [
    [
      'counts below zero',
      { 'status.disruptionsAllowed': -1, 'status.currentHealthy': -1, 'status.desiredHealthy': -1, 'status.expectedPods': -1 },
      'status.currentHealthy: Invalid value: -1: must be greater than or equal to 0',
      'status.desiredHealthy: Invalid value: -1: must be greater than or equal to 0',
      'status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0',
      'status.expectedPods: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'a condition without anything',
      { 'status.conditions': [{ type: '', status: 'Perhaps', reason: '', message: '', lastTransitionTime: null }] },
      'status.conditions[0].lastTransitionTime: Required value',
      'status.conditions[0].reason: Required value',
      'status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"',
      'status.conditions[0].type: Invalid value: "": name part must be non-empty',
      "status.conditions[0].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    [
      'a condition twice',
      {
        'status.conditions': [
          { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
          { type: 'A', status: 'True', reason: 'R', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
        ],
      },
      'status.conditions[1].type: Duplicate value: "A"',
    ],
  ],
  'status',
);

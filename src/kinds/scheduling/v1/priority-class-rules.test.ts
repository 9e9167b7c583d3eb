import { priorityclasses } from '#kinds/scheduling/v1/priority-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const priorityClass = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'rules-one' }, value: 10, preemptionPolicy: 'Never' };

describeRefusals('priority classes that do not preempt', priorityclasses, priorityClass, [
  ['an empty policy', { preemptionPolicy: '' }, 'preemptionPolicy: Required value'],
  [
    'an unknown policy',
    { preemptionPolicy: 'Sometimes' },
    'preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
  ],
]);

describeUpdateRefusals('updates of priority classes', priorityclasses, priorityClass, [
  ['another value', { value: 11 }, 'value: Forbidden: may not be changed in an update.'],
  ['another policy', { preemptionPolicy: 'PreemptLowerPriority' }, 'preemptionPolicy: Invalid value: "PreemptLowerPriority": field is immutable'],
]);

import { priorityclasses } from '#kinds/scheduling/v1/priority-class-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'one' }, value: 10, preemptionPolicy: 'Never' };

describeRefusals('priority classes', priorityclasses, valid, [
  ['a priority of the system', { value: 1_000_000_001 }, 'value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ['an unknown policy', { preemptionPolicy: 'Bogus' }, 'preemptionPolicy: Unsupported value: "Bogus": supported values: "PreemptLowerPriority", "Never"'],
  [
    'a name of the system',
    { 'metadata.name': 'system-mine' },
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
  ],
]);

describeUpdateRefusals('updates of priority classes', priorityclasses, valid, [
  ['another value', { value: 11 }, 'value: Forbidden: may not be changed in an update.'],
  ['another policy', { preemptionPolicy: 'PreemptLowerPriority' }, 'preemptionPolicy: Invalid value: "PreemptLowerPriority": field is immutable'],
]);

// The rules of conditions as metav1 has them, put through the status of disruption budgets.
import { poddisruptionbudgets } from '#kinds/policy/v1/pod-disruption-budget-resource.ts';
import { notKey } from '../../../test/support/format-texts.ts';
import { describeUpdateRefusals } from '../../../test/support/rule-cases.ts';

const budget = { metadata: { name: 'one' }, spec: { minAvailable: 1, selector: {} } };
const condition = { type: 'example.com/Ready', status: 'True', reason: 'Because', message: '', lastTransitionTime: '2030-01-02T03:04:05Z' };
const having = (changes: object) => ({ 'status.conditions': [{ ...condition, ...changes }] });

describeUpdateRefusals(
  'conditions',
  poddisruptionbudgets,
  budget,
  [
    ['a type twice', { 'status.conditions': [condition, condition] }, 'status.conditions[1].type: Duplicate value: "example.com/Ready"'],
    ['a type that is no name', { ...having({ type: 'a b' }) }, `status.conditions[0].type: ${notKey('a b')}`],
    [
      'an unknown status',
      { ...having({ status: 'Maybe' }) },
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ],
    [
      'a negative generation',
      { ...having({ observedGeneration: -1 }) },
      'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
    ],
    ['no time', { ...having({ lastTransitionTime: null }) }, 'status.conditions[0].lastTransitionTime: Required value'],
    ['no reason', { ...having({ reason: '' }) }, 'status.conditions[0].reason: Required value'],
    [
      'a reason that is no word',
      { ...having({ reason: '1 x' }) },
      "status.conditions[0].reason: Invalid value: \"1 x\": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
    ],
    ['too long a reason', { ...having({ reason: 'R'.repeat(1025) }) }, 'status.conditions[0].reason: Too long: may not be more than 1024 bytes'],
    ['too long a message', { ...having({ message: 'm'.repeat(32_769) }) }, 'status.conditions[0].message: Too long: may not be more than 32768 bytes'],
  ],
  'status',
);

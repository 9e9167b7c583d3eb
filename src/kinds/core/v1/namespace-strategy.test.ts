import { namespaces } from '#kinds/core/v1/namespace-resource.ts';
import { notKey } from '../../../../test/support/format-texts.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const valid = { metadata: { name: 'rules-of-namespaces', labels: { team: 'a' } }, spec: { finalizers: ['kubernetes', 'example.com/keep'] } };
const plain = { metadata: { name: 'rules-of-namespaces' } };

describeRefusals('namespaces', namespaces, valid, [
  ['a name that is none', { 'metadata.name': 'a.b' }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
  [
    'a finalizer that is none',
    { 'spec.finalizers': ['a b'] },
    'spec.finalizers: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
    `spec.finalizers: ${notKey('a b')}`,
  ],
  [
    'a finalizer without domain',
    { 'spec.finalizers': ['mine'] },
    'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ],
]);

describeUpdateRefusals(
  'finalizing namespaces',
  namespaces,
  plain,
  [
    [
      'a finalizer that is none',
      { 'spec.finalizers': ['kubernetes', 'a b'] },
      'spec.finalizers[1]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
      `spec.finalizers[1]: ${notKey('a b')}`,
    ],
    [
      'a finalizer without domain',
      { 'spec.finalizers': ['mine'] },
      'spec.finalizers[0]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
  'finalize',
);

describeUpdateRefusals(
  'statuses of namespaces',
  namespaces,
  plain,
  [
    [
      'an end that nobody asked for',
      { 'status.phase': 'Terminating' },
      'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ],
    ['an unknown phase', { 'status.phase': 'Odd' }, 'status.Phase: Invalid value: "Odd": may only be \'Active\' if `deletionTimestamp` is empty'],
  ],
  'status',
);

import { prioritylevelconfigurations } from '#kinds/flowcontrol/v1/priority-level-configuration-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const level = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'rules-one' },
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 10,
      lendablePercent: 10,
      borrowingLimitPercent: 10,
      limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 10 } },
    },
  },
};

describeRefusals('priority levels that queue', prioritylevelconfigurations, level, [
  [
    'a private annotation',
    { 'metadata.annotations': { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' } },
    "metadata.annotations: Forbidden: annotation 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares' is forbidden",
  ],
  [
    'another catch-all level',
    { 'metadata.name': 'catch-all' },
    'spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":10,"LimitResponse":{"Type":"Queue","Queuing":{"Queues":16,"HandSize":4,"QueueLengthLimit":10}},"LendablePercent":10,"BorrowingLimitPercent":10},"Exempt":null}: spec of \'catch-all\' must equal the fixed value',
  ],
  [
    'another exempt level',
    { 'metadata.name': 'exempt' },
    "spec.type: Invalid value: \"Limited\": must be 'Exempt' if and only if `name` is 'exempt'",
    'spec: Invalid value: {"Type":"Limited","Limited":{"NominalConcurrencyShares":10,"LimitResponse":{"Type":"Queue","Queuing":{"Queues":16,"HandSize":4,"QueueLengthLimit":10}},"LendablePercent":10,"BorrowingLimitPercent":10},"Exempt":null}: spec of \'exempt\' except the \'spec.exempt\' field must equal the fixed value',
  ],
  ['no type', { 'spec.type': '' }, 'spec.type: Required value'],
  ['an unknown type', { 'spec.type': 'Free' }, 'spec.type: Unsupported value: "Free": supported values: "Exempt", "Limited"'],
  [
    'an exempt level of another name',
    { 'spec.type': 'Exempt', 'spec.limited': undefined, 'spec.exempt': {} },
    "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
  ],
  [
    'an exempt level with limits',
    { 'spec.type': 'Exempt' },
    'spec.limited: Forbidden: must be nil if the type is not Limited',
    "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
  ],
  ['a limited level without limits', { 'spec.limited': undefined }, 'spec.limited: Required value: must not be empty when type is Limited'],
  ['a limited level with exemptions', { 'spec.exempt': {} }, 'spec.exempt: Forbidden: must be nil if the type is Limited'],
  [
    'percents below zero',
    { 'spec.limited.lendablePercent': -1, 'spec.limited.borrowingLimitPercent': -1 },
    'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
    'spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive',
  ],
  ['more than all to lend', { 'spec.limited.lendablePercent': 101 }, 'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive'],
  [
    'shares below zero',
    { 'spec.limited.nominalConcurrencyShares': -1 },
    'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
  ],
  ['no response', { 'spec.limited.limitResponse.type': '' }, 'spec.limited.limitResponse.type: Required value'],
  [
    'an unknown response',
    { 'spec.limited.limitResponse.type': 'Wait' },
    'spec.limited.limitResponse.type: Unsupported value: "Wait": supported values: "Queue", "Reject"',
  ],
  [
    'queues without their sizes',
    { 'spec.limited.limitResponse.queuing': undefined },
    'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
  ],
  [
    'queues of those who are rejected',
    { 'spec.limited.limitResponse.type': 'Reject' },
    'spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited',
  ],
  [
    'queues of nothing',
    { 'spec.limited.limitResponse.queuing': { queues: -1, handSize: -1, queueLengthLimit: -1 } },
    'spec.limited.limitResponse.queuing.handSize: Invalid value: -1: must be positive',
    'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
    'spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive',
  ],
  [
    'more queues than there may be',
    { 'spec.limited.limitResponse.queuing.queues': 10_000_001 },
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 4: required entropy bits of deckSize 10000001 and handSize 4 should not be greater than 60',
    'spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000',
  ],
  [
    'a hand larger than the queues',
    { 'spec.limited.limitResponse.queuing.handSize': 17 },
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 17: should not be greater than queues (16)',
  ],
  [
    'too much to shuffle',
    { 'spec.limited.limitResponse.queuing': { queues: 512, handSize: 10, queueLengthLimit: 10 } },
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 10: required entropy bits of deckSize 512 and handSize 10 should not be greater than 60',
  ],
]);

describeUpdateRefusals(
  'status of priority levels',
  prioritylevelconfigurations,
  level,
  [
    ['conditions without a type', { 'status.conditions': [{ type: '', status: 'True' }] }, 'status.conditions[0].type: Required value'],
    [
      'a condition twice',
      {
        'status.conditions': [
          { type: 'A', status: 'True' },
          { type: 'A', status: 'True' },
        ],
      },
      'status.conditions[1].type: Duplicate value: "A"',
    ],
  ],
  'status',
);

import { flowschemas } from '#kinds/flowcontrol/v1/flow-schema-resource.ts';
import { prioritylevelconfigurations } from '#kinds/flowcontrol/v1/priority-level-configuration-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const flowSchema = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'one' },
  spec: {
    priorityLevelConfiguration: { name: 'global-default' },
    matchingPrecedence: 100,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'Group', group: { name: 'team' } }],
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/healthz'] }],
      },
    ],
  },
};

describeRefusals('flow schemas', flowschemas, flowSchema, [
  ['a precedence that is too high', { 'spec.matchingPrecedence': 10_001 }, 'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'],
  [
    'the precedence of exempt requests',
    { 'spec.matchingPrecedence': 1 },
    "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
  ],
  ['no level', { 'spec.priorityLevelConfiguration.name': '' }, 'spec.priorityLevelConfiguration.name: Required value: must reference a priority level'],
  ['no subjects', { 'spec.rules.0.subjects': [] }, 'spec.rules[0].subjects: Required value: subjects must contain at least one value'],
  [
    'a relative URL',
    { 'spec.rules.0.nonResourceRules.0.nonResourceURLs': ['healthz'] },
    'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "healthz": must start with slash',
  ],
  [
    'no namespaces',
    { 'spec.rules.0.resourceRules.0.namespaces': [] },
    'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
  ],
]);

const level = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'one' },
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 5 } } } },
};

describeRefusals('priority levels', prioritylevelconfigurations, level, [
  [
    'a hand larger than the deck',
    { 'spec.limited.limitResponse.queuing.handSize': 9 },
    'spec.limited.limitResponse.queuing.handSize: Invalid value: 9: should not be greater than queues (8)',
  ],
  [
    'negative shares',
    { 'spec.limited.nominalConcurrencyShares': -1 },
    'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
  ],
  ['more to lend than all', { 'spec.limited.lendablePercent': 101 }, 'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive'],
]);

import { replicationcontrollers } from '#kinds/core/v1/replication-controller-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { templateRefusals } from '../../../../test/support/template-refusals.ts';

const valid = {
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name: 'one' },
  spec: {
    replicas: 2,
    minReadySeconds: 1,
    selector: { app: 'web' },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] } },
  },
};

describeRefusals('replication controllers', replicationcontrollers, valid, [
  ['a long name', { 'metadata.name': 'a'.repeat(254) }, `metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 bytes`],
  ['no template', { 'spec.template': undefined, 'spec.selector': undefined }, 'spec.selector: Required value', 'spec.template: Required value'],
  [
    'negative counts',
    { 'spec.replicas': -1, 'spec.minReadySeconds': -1 },
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  ...templateRefusals,
  [
    'template labels that are none',
    { 'spec.template.metadata.labels': { app: 'web', 'a b': 'c' } },
    `metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    `spec.template.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a deadline of pods that should stay',
    { 'spec.template.spec.activeDeadlineSeconds': 5 },
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
  ],
]);

describeUpdateRefusals('updates of replication controllers', replicationcontrollers, valid, [
  [
    'a template that its selector does not match',
    { 'spec.template.metadata.labels': { app: 'x' } },
    'spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`',
  ],
]);

describeUpdateRefusals(
  'the status of replication controllers',
  replicationcontrollers,
  valid,
  [
    [
      'negative counters',
      { status: { replicas: -1, fullyLabeledReplicas: -1, readyReplicas: -1, availableReplicas: -1, observedGeneration: -1 } },
      'status.availableReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.fullyLabeledReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'more pods of a kind than there are',
      { status: { replicas: 1, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 3 } },
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ],
  ],
  'status',
);

import { replicasets } from '#kinds/apps/v1/replica-set-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { templateRefusals } from '../../../../test/support/template-refusals.ts';

const valid = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'one' },
  spec: {
    replicas: 2,
    minReadySeconds: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] } },
  },
};

describeRefusals('replica sets', replicasets, valid, [
  [
    'no selector',
    { 'spec.selector': undefined },
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  ['an empty selector', { 'spec.selector': {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  [
    'a selector with an unknown operator',
    { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'Near', values: ['web'] }] } },
    'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Near","values":["web"]}]}: invalid label selector',
  ],
  ...templateRefusals,
  [
    'template labels that are none',
    { 'spec.template.metadata.labels': { app: 'web', 'a b': 'c' } },
    `spec.template.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  ],
  [
    'a deadline of pods that should stay',
    { 'spec.template.spec.activeDeadlineSeconds': 5 },
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ],
  [
    'negative counts',
    { 'spec.replicas': -1, 'spec.minReadySeconds': -1 },
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
]);

describeUpdateRefusals('updates of replica sets', replicasets, valid, [
  [
    'another selector',
    { 'spec.selector.matchLabels': { app: 'web', tier: 'x' }, 'spec.template.metadata.labels.tier': 'x' },
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable',
  ],
]);

describeUpdateRefusals(
  'the status of replica sets',
  replicasets,
  valid,
  [
    [
      'negative counters',
      { status: { replicas: -1, fullyLabeledReplicas: -1, readyReplicas: -1, availableReplicas: -1, terminatingReplicas: -1, observedGeneration: -1 } },
      'status.availableReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.fullyLabeledReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
      'status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0',
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

import { deployments } from '#kinds/apps/v1/deployment-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { templateRefusals } from '../../../../test/support/template-refusals.ts';

const valid = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one' },
  spec: {
    replicas: 2,
    minReadySeconds: 1,
    revisionHistoryLimit: 3,
    progressDeadlineSeconds: 60,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: 1 } },
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] } },
  },
};

describeRefusals('deployments', deployments, valid, [
  [
    'a name that is none',
    { 'metadata.name': 'A' },
    `metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  ],
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
    { 'spec.replicas': -1, 'spec.minReadySeconds': -1, 'spec.revisionHistoryLimit': -1, 'spec.progressDeadlineSeconds': -1 },
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds',
    'spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a deadline that is not after readiness',
    { 'spec.progressDeadlineSeconds': 1 },
    'spec.progressDeadlineSeconds: Invalid value: 1: must be greater than minReadySeconds',
  ],
  [
    'an unknown strategy',
    { 'spec.strategy': { type: 'Bogus' } },
    'spec.strategy: Unsupported value: {"Type":"Bogus","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
  ],
  [
    'rolling updates of what is recreated',
    { 'spec.strategy.type': 'Recreate' },
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    'neither surge nor unavailable pods',
    { 'spec.strategy.rollingUpdate': { maxSurge: 0, maxUnavailable: '0%' } },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ],
  [
    'more than all pods unavailable',
    { 'spec.strategy.rollingUpdate.maxUnavailable': '101%' },
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
  ],
  [
    'percentages that are none',
    { 'spec.strategy.rollingUpdate': { maxSurge: '5', maxUnavailable: 'x%' } },
    `spec.strategy.rollingUpdate.maxSurge: Invalid value: "5": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
    `spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "x%": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`,
  ],
  [
    'a negative surge',
    { 'spec.strategy.rollingUpdate.maxSurge': -1 },
    'spec.strategy.rollingUpdate.maxSurge: Invalid value: -1: must be greater than or equal to 0',
  ],
]);

describeUpdateRefusals('updates of deployments', deployments, valid, [
  [
    'another selector',
    { 'spec.selector.matchLabels': { app: 'web', tier: 'x' }, 'spec.template.metadata.labels.tier': 'x' },
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable',
  ],
  [
    'another name of the template container that is none',
    { 'spec.template.spec.containers.0.name': 'A' },
    `spec.template.spec.containers[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
]);

describeUpdateRefusals(
  'the status of deployments',
  deployments,
  valid,
  [
    [
      'negative counters',
      {
        status: {
          replicas: -1,
          updatedReplicas: -1,
          readyReplicas: -1,
          availableReplicas: -1,
          unavailableReplicas: -1,
          terminatingReplicas: -1,
          collisionCount: -1,
          observedGeneration: -1,
        },
      },
      'status.availableReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.collisionCount: Invalid value: -1: must be greater than or equal to 0',
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
      'status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.unavailableReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.updatedReplicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'more pods of a kind than there are',
      { status: { replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 } },
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ],
  ],
  'status',
);

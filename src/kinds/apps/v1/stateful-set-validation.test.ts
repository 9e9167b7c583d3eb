import { statefulsets } from '#kinds/apps/v1/stateful-set-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { templateRefusals } from '../../../../test/support/template-refusals.ts';

const valid = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'one' },
  spec: {
    replicas: 2,
    serviceName: 'svc',
    podManagementPolicy: 'Parallel',
    minReadySeconds: 1,
    ordinals: { start: 1 },
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [{ name: 'main', image: 'registry.example/app:1', volumeMounts: [{ name: 'data', mountPath: '/d' }] }],
        hostname: 'H!',
        subdomain: 'S!',
      },
    },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }],
  },
};

describeRefusals('stateful sets', statefulsets, valid, [
  ['a name with a dot', { 'metadata.name': 'a.b' }, 'metadata.name: Invalid value: "a.b": must not contain dots'],
  [
    'no selector',
    { 'spec.selector': undefined },
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  ['an empty selector', { 'spec.selector': {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for statefulset'],
  [
    'a selector with an unknown operator',
    { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'Near', values: ['web'] }] } },
    'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Near","values":["web"]}]}',
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
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
  ],
  [
    'negative counts',
    { 'spec.replicas': -1, 'spec.minReadySeconds': -1, 'spec.ordinals.start': -1, 'spec.updateStrategy.rollingUpdate.partition': -1 },
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0',
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    'spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0',
  ],
  ['an unknown order', { 'spec.podManagementPolicy': 'Bogus' }, `spec.podManagementPolicy: Invalid value: "Bogus": must be 'OrderedReady' or 'Parallel'`],
  [
    'an unknown update strategy',
    { 'spec.updateStrategy.type': 'Bogus' },
    `spec.updateStrategy: Invalid value: {"Type":"Bogus","RollingUpdate":{"Partition":1,"MaxUnavailable":null}}: must be 'RollingUpdate' or 'OnDelete'`,
  ],
  [
    'rolling updates on deletion',
    { 'spec.updateStrategy.type': 'OnDelete' },
    `spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`,
  ],
  [
    'unknown retention policies',
    { 'spec.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'a', whenScaled: 'b' } },
    'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "a": supported values: "Retain", "Delete"',
    'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "b": supported values: "Retain", "Delete"',
  ],
  [
    'a claim that is wrong',
    { 'spec.volumeClaimTemplates.0.spec': {} },
    'spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required',
    'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
  ],
  [
    'a service name that is none',
    { 'spec.serviceName': 'A' },
    `spec.serviceName: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
  ],
]);

describeUpdateRefusals('updates of stateful sets', statefulsets, valid, [
  [
    'another service name',
    { 'spec.serviceName': 'other' },
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  ],
  [
    'another claim',
    { 'spec.volumeClaimTemplates.0.spec.resources.requests.storage': '2Gi' },
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  ],
  [
    'another order',
    { 'spec.podManagementPolicy': 'OrderedReady' },
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  ],
  [
    'another selector',
    { 'spec.selector.matchLabels': { app: 'web', tier: 'x' }, 'spec.template.metadata.labels.tier': 'x' },
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
  ],
]);

describeUpdateRefusals(
  'the status of stateful sets',
  statefulsets,
  valid,
  [
    [
      'negative counters',
      {
        status: {
          replicas: -1,
          readyReplicas: -1,
          currentReplicas: -1,
          updatedReplicas: -1,
          availableReplicas: -1,
          collisionCount: -1,
          observedGeneration: -1,
        },
      },
      'status.availableReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.collisionCount: Invalid value: -1: must be greater than or equal to 0',
      'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.replicas: Invalid value: -1: must be greater than or equal to 0',
      'status.updatedReplicas: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'more pods of a kind than there are',
      { status: { replicas: 1, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 2, availableReplicas: 3 } },
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.readyReplicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas',
    ],
  ],
  'status',
);

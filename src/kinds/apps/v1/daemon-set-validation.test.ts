import { daemonsets } from '#kinds/apps/v1/daemon-set-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';
import { templateRefusals } from '../../../../test/support/template-refusals.ts';

const valid = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'one' },
  spec: {
    minReadySeconds: 1,
    revisionHistoryLimit: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'registry.example/app:1' }] } },
  },
};

describeRefusals('daemon sets', daemonsets, valid, [
  ['an empty selector', { 'spec.selector': {} }, 'spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
  ['no selector', { 'spec.selector': undefined }, 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  [
    'a selector with an unknown operator',
    { 'spec.selector': { matchExpressions: [{ key: 'app', operator: 'Near', values: ['web'] }] } },
    'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
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
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported',
  ],
  [
    'negative counts',
    { 'spec.minReadySeconds': -1, 'spec.revisionHistoryLimit': -1 },
    'spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'an unknown strategy',
    { 'spec.updateStrategy': { type: 'Bogus' } },
    'spec.updateStrategy: Unsupported value: {"Type":"Bogus","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
  ],
  [
    'surge beside unavailable pods',
    { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
  ],
  [
    'neither surge nor unavailable pods',
    { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } },
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
  [
    'more than all',
    { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '200%', maxSurge: '0%' } } },
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "200%": must not be greater than 100%',
  ],
  [
    'more surge than all',
    { 'spec.updateStrategy': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '101%' } } },
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%',
  ],
]);

describeUpdateRefusals('updates of daemon sets', daemonsets, valid, [
  [
    'another selector',
    { 'spec.selector.matchLabels': { app: 'web', tier: 'x' }, 'spec.template.metadata.labels.tier': 'x' },
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable',
  ],
]);

describeUpdateRefusals(
  'the status of daemon sets',
  daemonsets,
  valid,
  [
    [
      'negative counters',
      {
        status: {
          currentNumberScheduled: -1,
          numberMisscheduled: -1,
          desiredNumberScheduled: -1,
          numberReady: -1,
          observedGeneration: -1,
          updatedNumberScheduled: -1,
          numberAvailable: -1,
          numberUnavailable: -1,
          collisionCount: -1,
        },
      },
      'status.collisionCount: Invalid value: -1: must be greater than or equal to 0',
      'status.currentNumberScheduled: Invalid value: -1: must be greater than or equal to 0',
      'status.desiredNumberScheduled: Invalid value: -1: must be greater than or equal to 0',
      'status.numberAvailable: Invalid value: -1: must be greater than or equal to 0',
      'status.numberMisscheduled: Invalid value: -1: must be greater than or equal to 0',
      'status.numberReady: Invalid value: -1: must be greater than or equal to 0',
      'status.numberUnavailable: Invalid value: -1: must be greater than or equal to 0',
      'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
      'status.updatedNumberScheduled: Invalid value: -1: must be greater than or equal to 0',
    ],
  ],
  'status',
);

import { daemonsets } from '#kinds/apps/v1/daemon-set-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'one' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

describeRefusals('daemon sets', daemonsets, daemonSet, [
  [
    'a surge of more than all',
    { 'spec.updateStrategy': { rollingUpdate: { maxSurge: '101%', maxUnavailable: 0 } } },
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "101%": must not be greater than 100%',
  ],
  [
    'fewer than none unavailable',
    { 'spec.updateStrategy': { rollingUpdate: { maxUnavailable: -1 } } },
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'both a surge and unavailable pods',
    { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } },
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
  ],
  [
    'neither',
    { 'spec.updateStrategy': { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
]);

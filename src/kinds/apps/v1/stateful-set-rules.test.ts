import { statefulsets } from '#kinds/apps/v1/stateful-set-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const rollingSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'one' },
  spec: {
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

describeRefusals(
  'stateful sets that roll several pods at once',
  statefulsets,
  rollingSet,
  [
    [
      'none at once',
      { 'spec.updateStrategy.rollingUpdate.maxUnavailable': 0 },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0',
    ],
    [
      'fewer than none at once',
      { 'spec.updateStrategy.rollingUpdate.maxUnavailable': -1 },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'more than all at once',
      { 'spec.updateStrategy.rollingUpdate.maxUnavailable': '101%' },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      'some at once',
      { 'spec.updateStrategy.rollingUpdate.maxUnavailable': 'some' },
      "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: \"some\": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: "some": cannot be 0',
    ],
  ],
  { gates: { MaxUnavailableStatefulSet: 'true' } },
);

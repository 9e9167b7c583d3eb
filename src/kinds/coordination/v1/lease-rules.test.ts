import { leases } from '#kinds/coordination/v1/lease-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'one' },
  spec: { holderIdentity: 'me', leaseDurationSeconds: 10, leaseTransitions: 1, strategy: 'OldestEmulationVersion', preferredHolder: 'you' },
};

describeRefusals(
  'leases',
  leases,
  lease,
  [
    ['no duration', { 'spec.leaseDurationSeconds': 0 }, 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
    ['fewer than no transitions', { 'spec.leaseTransitions': -1 }, 'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'],
    ['an unknown strategy', { 'spec.strategy': 'Oldest' }, 'spec.strategy.strategy: Unsupported value: "Oldest": supported values: "OldestEmulationVersion"'],
    [
      "an odd strategy of one's own",
      { 'spec.strategy': 'example.com/-' },
      "spec.strategy.strategy: Invalid value: \"example.com/-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
    [
      'a preferred holder without a strategy',
      { 'spec.strategy': undefined },
      'spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined',
    ],
  ],
  { gates: { CoordinatedLeaderElection: 'true' }, notAsked: 'only with the gate CoordinatedLeaderElection' },
);

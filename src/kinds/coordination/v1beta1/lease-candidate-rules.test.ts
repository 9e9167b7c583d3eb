import { leasecandidates } from '#kinds/coordination/v1beta1/lease-candidate-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const candidate = {
  apiVersion: 'coordination.k8s.io/v1beta1',
  kind: 'LeaseCandidate',
  metadata: { name: 'one' },
  spec: { leaseName: 'one', binaryVersion: '1.36.0', emulationVersion: '1.35.0', strategy: 'OldestEmulationVersion' },
};

describeRefusals(
  'candidates for leases',
  leasecandidates,
  candidate,
  [
    ['no lease', { 'spec.leaseName': '' }, 'spec.leaseName: Required value'],
    ['no version', { 'spec.binaryVersion': '' }, 'spec.binaryVersion: Required value'],
    ['no strategy', { 'spec.strategy': '' }, 'spec.strategy: Required value'],
    [
      'versions that are none',
      { 'spec.binaryVersion': 'x', 'spec.emulationVersion': 'y' },
      'spec.binaryVersion: Invalid value: "x": must be a valid semantic version',
      'spec.emulationVersion: Invalid value: "y": must be a valid semantic version',
      "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
    ],
    [
      'a binary older than what it emulates',
      { 'spec.binaryVersion': '1.30.0' },
      'spec.binaryVersion: Invalid value: "1.30.0": must be greater than or equal to `emulationVersion`',
    ],
    [
      'no emulated version',
      { 'spec.emulationVersion': undefined },
      "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
    ],
    ['an unknown strategy', { 'spec.strategy': 'Oldest' }, 'spec.strategy.strategy: Unsupported value: "Oldest": supported values: "OldestEmulationVersion"'],
  ],
  { notAsked: 'served only with the gate CoordinatedLeaderElection' },
);

describeUpdateRefusals(
  'updates of candidates for leases',
  leasecandidates,
  candidate,
  [['another lease', { 'spec.leaseName': 'two' }, 'spec.leaseName: Invalid value: "two": field is immutable']],
  '',
  { notAsked: 'served only with the gate CoordinatedLeaderElection' },
);

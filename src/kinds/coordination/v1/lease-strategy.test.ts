import { leases } from '#kinds/coordination/v1/lease-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const valid = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'one', namespace: 'default' },
  spec: { holderIdentity: 'me', leaseDurationSeconds: 10, leaseTransitions: 0 },
};

describeRefusals('leases', leases, valid, [
  ['no duration', { 'spec.leaseDurationSeconds': 0 }, 'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
  ['negative transitions', { 'spec.leaseTransitions': -1 }, 'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0'],
]);

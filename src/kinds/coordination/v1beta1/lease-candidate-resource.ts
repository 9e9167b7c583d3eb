import { leaseCandidateColumns, leaseCandidateStrategy } from '#kinds/coordination/v1beta1/lease-candidate-strategy.ts';
import { LeaseCandidate, LeaseCandidateList } from '#kinds/coordination/v1beta1/lease-candidate.ts';
import { defineResource } from '#resource/definition.ts';

export const leasecandidates = defineResource<LeaseCandidate>({
  group: 'coordination.k8s.io',
  version: 'v1beta1',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  singular: 'leasecandidate',
  namespaced: true,
  strategy: leaseCandidateStrategy,
  columns: leaseCandidateColumns,
  schema: LeaseCandidate,
  list: LeaseCandidateList,
  storage: { version: 'v1beta1', prefix: 'leasecandidates', hash: 'lvME0iHWE20=' },
  enabled: false,
  lifecycle: { introduced: '1.33', deprecated: '1.36', removed: '1.39' },
});

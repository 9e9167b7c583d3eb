import { LeaseCandidate, LeaseCandidateList } from '#kinds/coordination/v1alpha2/lease-candidate.ts';
import { defineResource } from '#resource/definition.ts';

export const leasecandidates = defineResource<LeaseCandidate>({
  group: 'coordination.k8s.io',
  version: 'v1alpha2',
  kind: 'LeaseCandidate',
  plural: 'leasecandidates',
  singular: 'leasecandidate',
  namespaced: true,
  schema: LeaseCandidate,
  list: LeaseCandidateList,
  storage: { version: 'v1beta1', prefix: 'leasecandidates', hash: 'lvME0iHWE20=' },
  enabled: false,
  lifecycle: { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
});

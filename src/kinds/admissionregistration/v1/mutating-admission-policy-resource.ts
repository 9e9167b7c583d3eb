import { mutatingPolicyColumns, mutatingPolicyStrategy } from '#kinds/admissionregistration/v1/admission-policy-strategy.ts';
import { MutatingAdmissionPolicy, MutatingAdmissionPolicyList } from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import { defineResource } from '#resource/definition.ts';

export const mutatingadmissionpolicies = defineResource<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  namespaced: false,
  strategy: mutatingPolicyStrategy,
  columns: mutatingPolicyColumns,
  schema: MutatingAdmissionPolicy,
  list: MutatingAdmissionPolicyList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingadmissionpolicies', hash: 'LYmCf+UMVdg=' },
  lifecycle: { introduced: '1.36' },
});

import { mutatingPolicyColumns, mutatingPolicyStrategy } from '#kinds/admissionregistration/v1/admission-policy-strategy.ts';
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyList,
  MutatingAdmissionPolicySpec,
} from '#kinds/admissionregistration/v1/mutating-admission-policy.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1/match-resources-defaults.ts';
import { defaultPolicySpec } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';
import { withReservedNames } from '#kinds/admissionregistration/v1/static-names.ts';

export const mutatingadmissionpolicies = defineResource<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  namespaced: false,
  strategy: withReservedNames(mutatingPolicyStrategy),
  columns: mutatingPolicyColumns,
  schema: MutatingAdmissionPolicy,
  defaults: [...matchResourcesDefaults, defaultsOf(MutatingAdmissionPolicySpec, defaultPolicySpec)],
  list: MutatingAdmissionPolicyList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingadmissionpolicies', hash: 'LYmCf+UMVdg=' },
  lifecycle: { introduced: '1.36' },
});

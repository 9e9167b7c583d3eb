import { validatingPolicyColumns, validatingPolicyStrategy } from '#kinds/admissionregistration/v1/admission-policy-strategy.ts';
import {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyList,
  ValidatingAdmissionPolicySpec,
} from '#kinds/admissionregistration/v1/validating-admission-policy.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1/match-resources-defaults.ts';
import { defaultPolicySpec } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';
import { withReservedNames } from '#kinds/admissionregistration/v1/static-names.ts';

export const validatingadmissionpolicies = defineResource<ValidatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  singular: 'validatingadmissionpolicy',
  namespaced: false,
  strategy: withReservedNames(validatingPolicyStrategy),
  columns: validatingPolicyColumns,
  schema: ValidatingAdmissionPolicy,
  defaults: [...matchResourcesDefaults, defaultsOf(ValidatingAdmissionPolicySpec, defaultPolicySpec)],
  list: ValidatingAdmissionPolicyList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'validatingadmissionpolicies', hash: '6OxvlMmQ6is=' },
  lifecycle: { introduced: '1.30' },
  subresources: [{ name: 'status', kind: 'ValidatingAdmissionPolicy', verbs: ['get', 'patch', 'update'] }],
});

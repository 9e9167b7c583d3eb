import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyList,
  MutatingAdmissionPolicySpec,
} from '#kinds/admissionregistration/v1alpha1/mutating-admission-policy.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1alpha1/match-resources-defaults.ts';
import { defaultPolicySpec } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const mutatingadmissionpolicies = defineResource<MutatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  version: 'v1alpha1',
  kind: 'MutatingAdmissionPolicy',
  plural: 'mutatingadmissionpolicies',
  singular: 'mutatingadmissionpolicy',
  namespaced: false,
  schema: MutatingAdmissionPolicy,
  defaults: [...matchResourcesDefaults, defaultsOf(MutatingAdmissionPolicySpec, defaultPolicySpec)],
  list: MutatingAdmissionPolicyList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingadmissionpolicies', hash: 'LYmCf+UMVdg=' },
  enabled: false,
  lifecycle: { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
});

import { MutatingAdmissionPolicyBinding, MutatingAdmissionPolicyBindingList } from '#kinds/admissionregistration/v1alpha1/mutating-admission-policy-binding.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1alpha1/match-resources-defaults.ts';
import { ParamRef } from '#kinds/admissionregistration/v1alpha1/param-ref.ts';
import { defaultParamRef } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const mutatingadmissionpolicybindings = defineResource<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1alpha1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  namespaced: false,
  schema: MutatingAdmissionPolicyBinding,
  defaults: [...matchResourcesDefaults, defaultsOf(ParamRef, defaultParamRef)],
  list: MutatingAdmissionPolicyBindingList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingadmissionpolicybindings', hash: '90V5FRZZ3Zg=' },
  enabled: false,
  lifecycle: { introduced: '1.32', deprecated: '1.35', removed: '1.38' },
});

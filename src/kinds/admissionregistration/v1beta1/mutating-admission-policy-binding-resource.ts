import { MutatingAdmissionPolicyBinding, MutatingAdmissionPolicyBindingList } from '#kinds/admissionregistration/v1beta1/mutating-admission-policy-binding.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1beta1/match-resources-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const mutatingadmissionpolicybindings = defineResource<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  namespaced: false,
  schema: MutatingAdmissionPolicyBinding,
  defaults: matchResourcesDefaults,
  list: MutatingAdmissionPolicyBindingList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingadmissionpolicybindings', hash: '90V5FRZZ3Zg=' },
  enabled: false,
  lifecycle: { introduced: '1.34', deprecated: '1.37', replacement: 'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding', removed: '1.40' },
});

import { bindingColumns, mutatingBindingStrategy } from '#kinds/admissionregistration/v1/admission-policy-binding-strategy.ts';
import { MutatingAdmissionPolicyBinding, MutatingAdmissionPolicyBindingList } from '#kinds/admissionregistration/v1/mutating-admission-policy-binding.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1/match-resources-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { withReservedNames } from '#kinds/admissionregistration/v1/static-names.ts';

export const mutatingadmissionpolicybindings = defineResource<MutatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicyBinding',
  plural: 'mutatingadmissionpolicybindings',
  singular: 'mutatingadmissionpolicybinding',
  namespaced: false,
  strategy: withReservedNames(mutatingBindingStrategy),
  columns: bindingColumns,
  schema: MutatingAdmissionPolicyBinding,
  defaults: matchResourcesDefaults,
  list: MutatingAdmissionPolicyBindingList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'mutatingadmissionpolicybindings', hash: '90V5FRZZ3Zg=' },
  lifecycle: { introduced: '1.36' },
});

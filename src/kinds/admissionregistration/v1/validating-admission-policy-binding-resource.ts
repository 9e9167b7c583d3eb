import { bindingColumns, validatingBindingStrategy } from '#kinds/admissionregistration/v1/admission-policy-binding-strategy.ts';
import { ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBindingList } from '#kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import { matchResourcesDefaults } from '#kinds/admissionregistration/v1/match-resources-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { withReservedNames } from '#kinds/admissionregistration/v1/static-names.ts';

export const validatingadmissionpolicybindings = defineResource<ValidatingAdmissionPolicyBinding>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  singular: 'validatingadmissionpolicybinding',
  namespaced: false,
  strategy: withReservedNames(validatingBindingStrategy),
  columns: bindingColumns,
  schema: ValidatingAdmissionPolicyBinding,
  defaults: matchResourcesDefaults,
  list: ValidatingAdmissionPolicyBindingList,
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'validatingadmissionpolicybindings', hash: 'v9715VZqakg=' },
  lifecycle: { introduced: '1.30' },
});

import { bindingColumns, defaultBinding, defaultSubject, roleBindingStrategy } from '#kinds/rbac/v1/role-binding-strategy.ts';
import { RoleBinding, RoleBindingList, Subject } from '#kinds/rbac/v1/role-binding.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const rolebindings = defineResource<RoleBinding>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  singular: 'rolebinding',
  namespaced: true,
  strategy: roleBindingStrategy,
  columns: bindingColumns,
  schema: RoleBinding,
  defaults: [defaultsOf(RoleBinding, defaultBinding), defaultsOf(Subject, defaultSubject)],
  list: RoleBindingList,
  storage: { version: 'v1', prefix: 'rolebindings', hash: 'eGsCzGH6b1g=' },
  lifecycle: { introduced: '1.8' },
});

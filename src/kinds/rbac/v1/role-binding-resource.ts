import { bindingColumns, roleBindingStrategy } from '#kinds/rbac/v1/role-binding-strategy.ts';
import { RoleBinding, RoleBindingList } from '#kinds/rbac/v1/role-binding.ts';
import { defineResource } from '#resource/definition.ts';

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
  list: RoleBindingList,
  storage: { version: 'v1', prefix: 'rolebindings', hash: 'eGsCzGH6b1g=' },
  lifecycle: { introduced: '1.8' },
});

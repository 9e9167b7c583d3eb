import { ClusterRoleBinding, ClusterRoleBindingList } from '#kinds/rbac/v1/cluster-role-binding.ts';
import { bindingColumns, clusterRoleBindingStrategy, defaultBinding, defaultSubject } from '#kinds/rbac/v1/role-binding-strategy.ts';
import { Subject } from '#kinds/rbac/v1/role-binding.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const clusterrolebindings = defineResource<ClusterRoleBinding>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  singular: 'clusterrolebinding',
  namespaced: false,
  strategy: clusterRoleBindingStrategy,
  columns: bindingColumns,
  schema: ClusterRoleBinding,
  defaults: [defaultsOf(ClusterRoleBinding, defaultBinding), defaultsOf(Subject, defaultSubject)],
  list: ClusterRoleBindingList,
  storage: { version: 'v1', prefix: 'clusterrolebindings', hash: '48tpQ8gZHFc=' },
  lifecycle: { introduced: '1.8' },
});

import { ClusterRole, ClusterRoleList } from '#kinds/rbac/v1/cluster-role.ts';
import { clusterRoleStrategy } from '#kinds/rbac/v1/role-strategy.ts';
import { defineResource } from '#resource/definition.ts';

export const clusterroles = defineResource<ClusterRole>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  singular: 'clusterrole',
  namespaced: false,
  strategy: clusterRoleStrategy,
  schema: ClusterRole,
  list: ClusterRoleList,
  storage: { version: 'v1', prefix: 'clusterroles', hash: 'bYE5ZWDrJ44=' },
  lifecycle: { introduced: '1.8' },
});

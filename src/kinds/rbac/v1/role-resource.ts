import { roleStrategy } from '#kinds/rbac/v1/role-strategy.ts';
import { Role, RoleList } from '#kinds/rbac/v1/role.ts';
import { defineResource } from '#resource/definition.ts';

export const roles = defineResource<Role>({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  singular: 'role',
  namespaced: true,
  strategy: roleStrategy,
  schema: Role,
  list: RoleList,
  storage: { version: 'v1', prefix: 'roles', hash: '7FuwZcIIItM=' },
  lifecycle: { introduced: '1.8' },
});

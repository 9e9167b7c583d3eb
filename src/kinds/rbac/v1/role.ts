import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Role = rootStruct(
  'io.k8s.api.rbac.v1.Role',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    rules: optional(2, list(ref<PolicyRule>(PolicyRule)), { written: 'always', merge: 'atomic' }),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'Role']] },
);
export interface Role extends Infer<typeof Role> {}

export const RoleList = rootStruct(
  'io.k8s.api.rbac.v1.RoleList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Role>(Role))),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'RoleList']] },
);
export interface RoleList extends Infer<typeof RoleList> {}

export const PolicyRule = struct('io.k8s.api.rbac.v1.PolicyRule', () => ({
  verbs: required(1, list(string), { merge: 'atomic' }),
  apiGroups: optional(2, list(string), { merge: 'atomic' }),
  resources: optional(3, list(string), { merge: 'atomic' }),
  resourceNames: optional(4, list(string), { merge: 'atomic' }),
  nonResourceURLs: optional(5, list(string), { merge: 'atomic' }),
}));
export interface PolicyRule extends Infer<typeof PolicyRule> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { RoleRef, Subject } from '#kinds/rbac/v1/role-binding.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct } from '#schema/build.ts';

export const ClusterRoleBinding = rootStruct(
  'io.k8s.api.rbac.v1.ClusterRoleBinding',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    subjects: optional(2, list(ref<Subject>(Subject)), { merge: 'atomic' }),
    roleRef: required(3, ref<RoleRef>(RoleRef)),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'ClusterRoleBinding']] },
);
export interface ClusterRoleBinding extends Infer<typeof ClusterRoleBinding> {}

export const ClusterRoleBindingList = rootStruct(
  'io.k8s.api.rbac.v1.ClusterRoleBindingList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ClusterRoleBinding>(ClusterRoleBinding))),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'ClusterRoleBindingList']] },
);
export interface ClusterRoleBindingList extends Infer<typeof ClusterRoleBindingList> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const RoleBinding = rootStruct(
  'io.k8s.api.rbac.v1.RoleBinding',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    subjects: optional(2, list(ref<Subject>(Subject)), { merge: 'atomic' }),
    roleRef: required(3, ref<RoleRef>(RoleRef)),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'RoleBinding']] },
);
export interface RoleBinding extends Infer<typeof RoleBinding> {}

export const RoleBindingList = rootStruct(
  'io.k8s.api.rbac.v1.RoleBindingList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<RoleBinding>(RoleBinding))),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'RoleBindingList']] },
);
export interface RoleBindingList extends Infer<typeof RoleBindingList> {}

export const Subject = struct(
  'io.k8s.api.rbac.v1.Subject',
  () => ({
    kind: required(1, string),
    apiGroup: optional(2, string),
    name: required(3, string),
    namespace: optional(4, string),
  }),
  { atomic: true },
);
export interface Subject extends Infer<typeof Subject> {}

export const RoleRef = struct(
  'io.k8s.api.rbac.v1.RoleRef',
  () => ({
    apiGroup: optional(1, string, { written: 'always' }),
    kind: required(2, string),
    name: required(3, string),
  }),
  { atomic: true },
);
export interface RoleRef extends Infer<typeof RoleRef> {}

import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { PolicyRule } from '#kinds/rbac/v1/role.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, struct } from '#schema/build.ts';

export const ClusterRole = rootStruct(
  'io.k8s.api.rbac.v1.ClusterRole',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    rules: optional(2, list(ref<PolicyRule>(PolicyRule)), { written: 'always', merge: 'atomic' }),
    aggregationRule: pointer(3, ref<AggregationRule>(AggregationRule)),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'ClusterRole']] },
);
export interface ClusterRole extends Infer<typeof ClusterRole> {}

export const ClusterRoleList = rootStruct(
  'io.k8s.api.rbac.v1.ClusterRoleList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ClusterRole>(ClusterRole))),
  }),
  { gvks: [['rbac.authorization.k8s.io', 'v1', 'ClusterRoleList']] },
);
export interface ClusterRoleList extends Infer<typeof ClusterRoleList> {}

export const AggregationRule = struct('io.k8s.api.rbac.v1.AggregationRule', () => ({
  clusterRoleSelectors: optional(1, list(ref<LabelSelector>(LabelSelector)), { merge: 'atomic' }),
}));
export interface AggregationRule extends Infer<typeof AggregationRule> {}

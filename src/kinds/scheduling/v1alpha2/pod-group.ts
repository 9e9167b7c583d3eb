import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { PodGroupResourceClaim } from '#kinds/scheduling/v1alpha2/pod-group-resource-claim.ts';
import { PodGroupSchedulingConstraints } from '#kinds/scheduling/v1alpha2/pod-group-scheduling-constraints.ts';
import { PodGroupSchedulingPolicy } from '#kinds/scheduling/v1alpha2/pod-group-scheduling-policy.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const PodGroup = rootStruct(
  'io.k8s.api.scheduling.v1alpha2.PodGroup',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<PodGroupSpec>(PodGroupSpec)),
    status: embedded(3, ref<PodGroupStatus>(PodGroupStatus)),
  }),
  { gvks: [['scheduling.k8s.io', 'v1alpha2', 'PodGroup']] },
);
export interface PodGroup extends Infer<typeof PodGroup> {}

export const PodGroupList = rootStruct(
  'io.k8s.api.scheduling.v1alpha2.PodGroupList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PodGroup>(PodGroup))),
  }),
  { gvks: [['scheduling.k8s.io', 'v1alpha2', 'PodGroupList']] },
);
export interface PodGroupList extends Infer<typeof PodGroupList> {}

export const PodGroupSpec = struct('io.k8s.api.scheduling.v1alpha2.PodGroupSpec', () => ({
  podGroupTemplateRef: pointer(1, ref<PodGroupTemplateReference>(PodGroupTemplateReference), { written: 'always' }),
  schedulingPolicy: required(2, ref<PodGroupSchedulingPolicy>(PodGroupSchedulingPolicy)),
  schedulingConstraints: pointer(3, ref<PodGroupSchedulingConstraints>(PodGroupSchedulingConstraints)),
  resourceClaims: optional(4, list(ref<PodGroupResourceClaim>(PodGroupResourceClaim)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge,retainKeys', key: 'name' },
  }),
  disruptionMode: pointer(5, string, { default: 'Pod', enum: ['Pod', 'PodGroup'], goType: 'v1alpha2.DisruptionMode' }),
  priorityClassName: optional(6, string),
  priority: pointer(7, int32),
}));
export interface PodGroupSpec extends Infer<typeof PodGroupSpec> {}

export const PodGroupTemplateReference = struct(
  'io.k8s.api.scheduling.v1alpha2.PodGroupTemplateReference',
  () => ({
    workload: pointer(1, ref<WorkloadPodGroupTemplateReference>(WorkloadPodGroupTemplateReference), { written: 'always' }),
  }),
  { unions: [{ 'fields-to-discriminateBy': { workload: 'Workload' } }] },
);
export interface PodGroupTemplateReference extends Infer<typeof PodGroupTemplateReference> {}

export const WorkloadPodGroupTemplateReference = struct('io.k8s.api.scheduling.v1alpha2.WorkloadPodGroupTemplateReference', () => ({
  workloadName: required(1, string),
  podGroupTemplateName: required(2, string),
}));
export interface WorkloadPodGroupTemplateReference extends Infer<typeof WorkloadPodGroupTemplateReference> {}

export const PodGroupStatus = struct('io.k8s.api.scheduling.v1alpha2.PodGroupStatus', () => ({
  conditions: optional(1, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  resourceClaimStatuses: optional(2, list(ref<PodGroupResourceClaimStatus>(PodGroupResourceClaimStatus)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge,retainKeys', key: 'name' },
  }),
}));
export interface PodGroupStatus extends Infer<typeof PodGroupStatus> {}

export const PodGroupResourceClaimStatus = struct('io.k8s.api.scheduling.v1alpha2.PodGroupResourceClaimStatus', () => ({
  name: required(1, string),
  resourceClaimName: pointer(2, string),
}));
export interface PodGroupResourceClaimStatus extends Infer<typeof PodGroupResourceClaimStatus> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { PodGroupResourceClaim } from '#kinds/scheduling/v1alpha2/pod-group-resource-claim.ts';
import { PodGroupSchedulingConstraints } from '#kinds/scheduling/v1alpha2/pod-group-scheduling-constraints.ts';
import { PodGroupSchedulingPolicy } from '#kinds/scheduling/v1alpha2/pod-group-scheduling-policy.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Workload = rootStruct(
  'io.k8s.api.scheduling.v1alpha2.Workload',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<WorkloadSpec>(WorkloadSpec)),
  }),
  { gvks: [['scheduling.k8s.io', 'v1alpha2', 'Workload']] },
);
export interface Workload extends Infer<typeof Workload> {}

export const WorkloadList = rootStruct(
  'io.k8s.api.scheduling.v1alpha2.WorkloadList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Workload>(Workload))),
  }),
  { gvks: [['scheduling.k8s.io', 'v1alpha2', 'WorkloadList']] },
);
export interface WorkloadList extends Infer<typeof WorkloadList> {}

export const PodGroupTemplate = struct('io.k8s.api.scheduling.v1alpha2.PodGroupTemplate', () => ({
  name: required(1, string),
  schedulingPolicy: required(2, ref<PodGroupSchedulingPolicy>(PodGroupSchedulingPolicy)),
  schedulingConstraints: pointer(3, ref<PodGroupSchedulingConstraints>(PodGroupSchedulingConstraints), { written: 'always' }),
  resourceClaims: optional(4, list(ref<PodGroupResourceClaim>(PodGroupResourceClaim)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge,retainKeys', key: 'name' },
  }),
  disruptionMode: pointer(5, string, { enum: ['Pod', 'PodGroup'], goType: 'v1alpha2.DisruptionMode' }),
  priorityClassName: optional(6, string),
  priority: pointer(7, int32),
}));
export interface PodGroupTemplate extends Infer<typeof PodGroupTemplate> {}

export const TypedLocalObjectReference = struct('io.k8s.api.scheduling.v1alpha2.TypedLocalObjectReference', () => ({
  apiGroup: optional(1, string),
  kind: required(2, string),
  name: required(3, string),
}));
export interface TypedLocalObjectReference extends Infer<typeof TypedLocalObjectReference> {}

export const WorkloadSpec = struct('io.k8s.api.scheduling.v1alpha2.WorkloadSpec', () => ({
  controllerRef: pointer(1, ref<TypedLocalObjectReference>(TypedLocalObjectReference)),
  podGroupTemplates: required(2, list(ref<PodGroupTemplate>(PodGroupTemplate)), { merge: { keys: ['name'] } }),
}));
export interface WorkloadSpec extends Infer<typeof WorkloadSpec> {}

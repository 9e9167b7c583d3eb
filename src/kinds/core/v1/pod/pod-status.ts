import { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import { ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { type Infer, int64, list, map, optional, pointer, quantity, ref, required, string, struct, time } from '#schema/build.ts';

export const PodStatus = struct('io.k8s.api.core.v1.PodStatus', () => ({
  observedGeneration: optional(17, int64),
  phase: optional(1, string, { enum: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'], goType: 'v1.PodPhase' }),
  conditions: optional(2, list(ref<PodCondition>(PodCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  message: optional(3, string),
  reason: optional(4, string),
  nominatedNodeName: optional(11, string),
  hostIP: optional(5, string),
  hostIPs: optional(16, list(ref<HostIP>(HostIP)), { merge: 'atomic', patch: { strategy: 'merge', key: 'ip' } }),
  podIP: optional(6, string),
  podIPs: optional(12, list(ref<PodIP>(PodIP)), { merge: { keys: ['ip'] }, patch: { strategy: 'merge', key: 'ip' } }),
  startTime: pointer(7, time),
  initContainerStatuses: optional(10, list(ref<ContainerStatus>(ContainerStatus)), { merge: 'atomic' }),
  containerStatuses: optional(8, list(ref<ContainerStatus>(ContainerStatus)), { merge: 'atomic' }),
  qosClass: optional(9, string, { enum: ['BestEffort', 'Burstable', 'Guaranteed'], goType: 'v1.PodQOSClass' }),
  ephemeralContainerStatuses: optional(13, list(ref<ContainerStatus>(ContainerStatus)), { merge: 'atomic' }),
  resize: optional(14, string, { goType: 'v1.PodResizeStatus' }),
  resourceClaimStatuses: optional(15, list(ref<PodResourceClaimStatus>(PodResourceClaimStatus)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge,retainKeys', key: 'name' },
  }),
  extendedResourceClaimStatus: pointer(18, ref<PodExtendedResourceClaimStatus>(PodExtendedResourceClaimStatus)),
  allocatedResources: optional(19, map(quantity), { goType: 'v1.ResourceList' }),
  resources: pointer(20, ref<ResourceRequirements>(ResourceRequirements)),
  nodeAllocatableResourceClaimStatuses: optional(21, list(ref<NodeAllocatableResourceClaimStatus>(NodeAllocatableResourceClaimStatus)), { merge: 'atomic' }),
}));
export interface PodStatus extends Infer<typeof PodStatus> {}

export const ContainerExtendedResourceRequest = struct('io.k8s.api.core.v1.ContainerExtendedResourceRequest', () => ({
  containerName: required(1, string),
  resourceName: required(2, string),
  requestName: required(3, string),
}));
export interface ContainerExtendedResourceRequest extends Infer<typeof ContainerExtendedResourceRequest> {}

export const HostIP = struct('io.k8s.api.core.v1.HostIP', () => ({
  ip: required(1, string),
}));
export interface HostIP extends Infer<typeof HostIP> {}

export const NodeAllocatableResourceClaimStatus = struct('io.k8s.api.core.v1.NodeAllocatableResourceClaimStatus', () => ({
  resourceClaimName: required(1, string),
  containers: optional(2, list(string), { merge: 'set' }),
  resources: required(3, map(quantity), { goType: 'map[v1.ResourceName]resource.Quantity' }),
}));
export interface NodeAllocatableResourceClaimStatus extends Infer<typeof NodeAllocatableResourceClaimStatus> {}

export const PodCondition = struct('io.k8s.api.core.v1.PodCondition', () => ({
  type: required(1, string, { goType: 'v1.PodConditionType' }),
  observedGeneration: optional(7, int64),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastProbeTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
}));
export interface PodCondition extends Infer<typeof PodCondition> {}

export const PodIP = struct('io.k8s.api.core.v1.PodIP', () => ({
  ip: required(1, string),
}));
export interface PodIP extends Infer<typeof PodIP> {}

export const PodResourceClaimStatus = struct('io.k8s.api.core.v1.PodResourceClaimStatus', () => ({
  name: required(1, string),
  resourceClaimName: pointer(2, string),
}));
export interface PodResourceClaimStatus extends Infer<typeof PodResourceClaimStatus> {}

export const PodExtendedResourceClaimStatus = struct('io.k8s.api.core.v1.PodExtendedResourceClaimStatus', () => ({
  requestMappings: required(1, list(ref<ContainerExtendedResourceRequest>(ContainerExtendedResourceRequest)), { merge: 'atomic' }),
  resourceClaimName: required(2, string),
}));
export interface PodExtendedResourceClaimStatus extends Infer<typeof PodExtendedResourceClaimStatus> {}

import { NodeSelector } from '#kinds/core/v1/node-selector.ts';
import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { DeviceConfiguration } from '#kinds/resource/v1beta2/device-configuration.ts';
import { DeviceToleration } from '#kinds/resource/v1beta2/device-toleration.ts';
import { ResourceClaimSpec } from '#kinds/resource/v1beta2/resource-claim-spec.ts';
import {
  boolean,
  embedded,
  type Infer,
  inline,
  list,
  map,
  optional,
  pointer,
  quantity,
  rawExtension,
  ref,
  required,
  rootStruct,
  string,
  struct,
  time,
} from '#schema/build.ts';

export const ResourceClaim = rootStruct(
  'io.k8s.api.resource.v1beta2.ResourceClaim',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<ResourceClaimSpec>(ResourceClaimSpec)),
    status: embedded(3, ref<ResourceClaimStatus>(ResourceClaimStatus)),
  }),
  { gvks: [['resource.k8s.io', 'v1beta2', 'ResourceClaim']] },
);
export interface ResourceClaim extends Infer<typeof ResourceClaim> {}

export const ResourceClaimList = rootStruct(
  'io.k8s.api.resource.v1beta2.ResourceClaimList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ResourceClaim>(ResourceClaim))),
  }),
  { gvks: [['resource.k8s.io', 'v1beta2', 'ResourceClaimList']] },
);
export interface ResourceClaimList extends Infer<typeof ResourceClaimList> {}

export const AllocatedDeviceStatus = struct('io.k8s.api.resource.v1beta2.AllocatedDeviceStatus', () => ({
  driver: required(1, string),
  pool: required(2, string),
  device: required(3, string),
  shareID: pointer(7, string),
  conditions: optional(4, list(ref<Condition>(Condition)), { written: 'always', merge: { keys: ['type'] } }),
  data: pointer(5, rawExtension),
  networkData: pointer(6, ref<NetworkDeviceData>(NetworkDeviceData)),
}));
export interface AllocatedDeviceStatus extends Infer<typeof AllocatedDeviceStatus> {}

export const NetworkDeviceData = struct('io.k8s.api.resource.v1beta2.NetworkDeviceData', () => ({
  interfaceName: optional(1, string),
  ips: optional(2, list(string), { merge: 'atomic' }),
  hardwareAddress: optional(3, string),
}));
export interface NetworkDeviceData extends Infer<typeof NetworkDeviceData> {}

export const AllocationResult = struct('io.k8s.api.resource.v1beta2.AllocationResult', () => ({
  devices: embedded(1, ref<DeviceAllocationResult>(DeviceAllocationResult)),
  nodeSelector: pointer(3, ref<NodeSelector>(NodeSelector)),
  allocationTimestamp: pointer(5, time),
}));
export interface AllocationResult extends Infer<typeof AllocationResult> {}

export const DeviceAllocationResult = struct('io.k8s.api.resource.v1beta2.DeviceAllocationResult', () => ({
  results: optional(1, list(ref<DeviceRequestAllocationResult>(DeviceRequestAllocationResult)), { merge: 'atomic' }),
  config: optional(2, list(ref<DeviceAllocationConfiguration>(DeviceAllocationConfiguration)), { merge: 'atomic' }),
}));
export interface DeviceAllocationResult extends Infer<typeof DeviceAllocationResult> {}

export const DeviceRequestAllocationResult = struct('io.k8s.api.resource.v1beta2.DeviceRequestAllocationResult', () => ({
  request: required(1, string),
  driver: required(2, string),
  pool: required(3, string),
  device: required(4, string),
  adminAccess: pointer(5, boolean),
  tolerations: optional(6, list(ref<DeviceToleration>(DeviceToleration)), { merge: 'atomic' }),
  bindingConditions: optional(7, list(string), { merge: 'atomic' }),
  bindingFailureConditions: optional(8, list(string), { merge: 'atomic' }),
  shareID: pointer(9, string, { goType: 'types.UID' }),
  consumedCapacity: optional(10, map(quantity), { goType: 'map[v1beta2.QualifiedName]resource.Quantity' }),
}));
export interface DeviceRequestAllocationResult extends Infer<typeof DeviceRequestAllocationResult> {}

export const DeviceAllocationConfiguration = struct('io.k8s.api.resource.v1beta2.DeviceAllocationConfiguration', () => ({
  source: required(1, string, { enum: ['FromClaim', 'FromClass'], goType: 'v1beta2.AllocationConfigSource' }),
  requests: optional(2, list(string), { merge: 'atomic' }),
  ...inline(3, 'deviceConfiguration', DeviceConfiguration),
}));
export interface DeviceAllocationConfiguration extends Infer<typeof DeviceAllocationConfiguration> {}

export const ResourceClaimStatus = struct('io.k8s.api.resource.v1beta2.ResourceClaimStatus', () => ({
  allocation: pointer(1, ref<AllocationResult>(AllocationResult)),
  reservedFor: optional(2, list(ref<ResourceClaimConsumerReference>(ResourceClaimConsumerReference)), {
    merge: { keys: ['uid'] },
    patch: { strategy: 'merge', key: 'uid' },
  }),
  devices: optional(4, list(ref<AllocatedDeviceStatus>(AllocatedDeviceStatus)), { merge: { keys: ['driver', 'device', 'pool', 'shareID'] } }),
}));
export interface ResourceClaimStatus extends Infer<typeof ResourceClaimStatus> {}

export const ResourceClaimConsumerReference = struct('io.k8s.api.resource.v1beta2.ResourceClaimConsumerReference', () => ({
  apiGroup: optional(1, string),
  resource: required(3, string),
  name: required(4, string),
  uid: required(5, string, { goType: 'types.UID' }),
}));
export interface ResourceClaimConsumerReference extends Infer<typeof ResourceClaimConsumerReference> {}

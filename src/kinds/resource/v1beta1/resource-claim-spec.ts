import { DeviceConfiguration } from '#kinds/resource/v1beta1/device-configuration.ts';
import { DeviceSelector } from '#kinds/resource/v1beta1/device-selector.ts';
import { DeviceToleration } from '#kinds/resource/v1beta1/device-toleration.ts';
import { boolean, embedded, type Infer, inline, int64, list, map, optional, pointer, quantity, ref, required, string, struct } from '#schema/build.ts';

export const ResourceClaimSpec = struct('io.k8s.api.resource.v1beta1.ResourceClaimSpec', () => ({
  devices: embedded(1, ref<DeviceClaim>(DeviceClaim), { written: 'always' }),
}));
export interface ResourceClaimSpec extends Infer<typeof ResourceClaimSpec> {}

export const CapacityRequirements = struct('io.k8s.api.resource.v1beta1.CapacityRequirements', () => ({
  requests: optional(1, map(quantity), { goType: 'map[v1beta1.QualifiedName]resource.Quantity' }),
}));
export interface CapacityRequirements extends Infer<typeof CapacityRequirements> {}

export const DeviceClaim = struct('io.k8s.api.resource.v1beta1.DeviceClaim', () => ({
  requests: optional(1, list(ref<DeviceRequest>(DeviceRequest)), { written: 'always', merge: 'atomic' }),
  constraints: optional(2, list(ref<DeviceConstraint>(DeviceConstraint)), { merge: 'atomic' }),
  config: optional(3, list(ref<DeviceClaimConfiguration>(DeviceClaimConfiguration)), { merge: 'atomic' }),
}));
export interface DeviceClaim extends Infer<typeof DeviceClaim> {}

export const DeviceRequest = struct('io.k8s.api.resource.v1beta1.DeviceRequest', () => ({
  name: required(1, string),
  deviceClassName: optional(2, string, { written: 'always' }),
  selectors: optional(3, list(ref<DeviceSelector>(DeviceSelector)), { merge: 'atomic' }),
  allocationMode: optional(4, string, { enum: ['All', 'ExactCount'], goType: 'v1beta1.DeviceAllocationMode' }),
  count: optional(5, int64),
  adminAccess: pointer(6, boolean),
  firstAvailable: optional(7, list(ref<DeviceSubRequest>(DeviceSubRequest)), { merge: 'atomic' }),
  tolerations: optional(8, list(ref<DeviceToleration>(DeviceToleration)), { merge: 'atomic' }),
  capacity: pointer(9, ref<CapacityRequirements>(CapacityRequirements)),
}));
export interface DeviceRequest extends Infer<typeof DeviceRequest> {}

export const DeviceSubRequest = struct('io.k8s.api.resource.v1beta1.DeviceSubRequest', () => ({
  name: required(1, string),
  deviceClassName: required(2, string),
  selectors: optional(3, list(ref<DeviceSelector>(DeviceSelector)), { merge: 'atomic' }),
  allocationMode: optional(4, string, { enum: ['All', 'ExactCount'], goType: 'v1beta1.DeviceAllocationMode' }),
  count: optional(5, int64),
  tolerations: optional(7, list(ref<DeviceToleration>(DeviceToleration)), { merge: 'atomic' }),
  capacity: pointer(8, ref<CapacityRequirements>(CapacityRequirements)),
}));
export interface DeviceSubRequest extends Infer<typeof DeviceSubRequest> {}

export const DeviceConstraint = struct('io.k8s.api.resource.v1beta1.DeviceConstraint', () => ({
  requests: optional(1, list(string), { merge: 'atomic' }),
  matchAttribute: pointer(2, string, { goType: 'v1beta1.FullyQualifiedName' }),
  distinctAttribute: pointer(3, string, { goType: 'v1beta1.FullyQualifiedName' }),
}));
export interface DeviceConstraint extends Infer<typeof DeviceConstraint> {}

export const DeviceClaimConfiguration = struct('io.k8s.api.resource.v1beta1.DeviceClaimConfiguration', () => ({
  requests: optional(1, list(string), { merge: 'atomic' }),
  ...inline(2, 'deviceConfiguration', DeviceConfiguration),
}));
export interface DeviceClaimConfiguration extends Infer<typeof DeviceClaimConfiguration> {}

import { DeviceConfiguration } from '#kinds/resource/v1/device-configuration.ts';
import { DeviceSelector } from '#kinds/resource/v1/device-selector.ts';
import { DeviceToleration } from '#kinds/resource/v1/device-toleration.ts';
import { boolean, embedded, type Infer, inline, int64, list, map, optional, pointer, quantity, ref, required, string, struct } from '#schema/build.ts';

export const ResourceClaimSpec = struct('io.k8s.api.resource.v1.ResourceClaimSpec', () => ({
  devices: embedded(1, ref<DeviceClaim>(DeviceClaim), { written: 'always' }),
}));
export interface ResourceClaimSpec extends Infer<typeof ResourceClaimSpec> {}

export const CapacityRequirements = struct('io.k8s.api.resource.v1.CapacityRequirements', () => ({
  requests: optional(1, map(quantity), { goType: 'map[v1.QualifiedName]resource.Quantity' }),
}));
export interface CapacityRequirements extends Infer<typeof CapacityRequirements> {}

export const DeviceClaim = struct('io.k8s.api.resource.v1.DeviceClaim', () => ({
  requests: optional(1, list(ref<DeviceRequest>(DeviceRequest)), { written: 'always', merge: 'atomic' }),
  constraints: optional(2, list(ref<DeviceConstraint>(DeviceConstraint)), { merge: 'atomic' }),
  config: optional(3, list(ref<DeviceClaimConfiguration>(DeviceClaimConfiguration)), { merge: 'atomic' }),
}));
export interface DeviceClaim extends Infer<typeof DeviceClaim> {}

export const DeviceRequest = struct('io.k8s.api.resource.v1.DeviceRequest', () => ({
  name: required(1, string),
  exactly: pointer(2, ref<ExactDeviceRequest>(ExactDeviceRequest)),
  firstAvailable: optional(3, list(ref<DeviceSubRequest>(DeviceSubRequest)), { merge: 'atomic' }),
}));
export interface DeviceRequest extends Infer<typeof DeviceRequest> {}

export const ExactDeviceRequest = struct('io.k8s.api.resource.v1.ExactDeviceRequest', () => ({
  deviceClassName: required(1, string),
  selectors: optional(2, list(ref<DeviceSelector>(DeviceSelector)), { merge: 'atomic' }),
  allocationMode: optional(3, string, { enum: ['All', 'ExactCount'], goType: 'v1.DeviceAllocationMode' }),
  count: optional(4, int64),
  adminAccess: pointer(5, boolean),
  tolerations: optional(6, list(ref<DeviceToleration>(DeviceToleration)), { merge: 'atomic' }),
  capacity: pointer(7, ref<CapacityRequirements>(CapacityRequirements)),
}));
export interface ExactDeviceRequest extends Infer<typeof ExactDeviceRequest> {}

export const DeviceSubRequest = struct('io.k8s.api.resource.v1.DeviceSubRequest', () => ({
  name: required(1, string),
  deviceClassName: required(2, string),
  selectors: optional(3, list(ref<DeviceSelector>(DeviceSelector)), { merge: 'atomic' }),
  allocationMode: optional(4, string, { enum: ['All', 'ExactCount'], goType: 'v1.DeviceAllocationMode' }),
  count: optional(5, int64),
  tolerations: optional(6, list(ref<DeviceToleration>(DeviceToleration)), { merge: 'atomic' }),
  capacity: pointer(7, ref<CapacityRequirements>(CapacityRequirements)),
}));
export interface DeviceSubRequest extends Infer<typeof DeviceSubRequest> {}

export const DeviceConstraint = struct('io.k8s.api.resource.v1.DeviceConstraint', () => ({
  requests: optional(1, list(string), { merge: 'atomic' }),
  matchAttribute: pointer(2, string, { goType: 'v1.FullyQualifiedName' }),
  distinctAttribute: pointer(3, string, { goType: 'v1.FullyQualifiedName' }),
}));
export interface DeviceConstraint extends Infer<typeof DeviceConstraint> {}

export const DeviceClaimConfiguration = struct('io.k8s.api.resource.v1.DeviceClaimConfiguration', () => ({
  requests: optional(1, list(string), { merge: 'atomic' }),
  ...inline(2, 'deviceConfiguration', DeviceConfiguration),
}));
export interface DeviceClaimConfiguration extends Infer<typeof DeviceClaimConfiguration> {}

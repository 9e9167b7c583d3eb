import { type Infer, pointer, ref, required, string, struct } from '#schema/build.ts';

export const DeviceSelector = struct('io.k8s.api.resource.v1beta2.DeviceSelector', () => ({
  cel: pointer(1, ref<CELDeviceSelector>(CELDeviceSelector)),
}));
export interface DeviceSelector extends Infer<typeof DeviceSelector> {}

export const CELDeviceSelector = struct('io.k8s.api.resource.v1beta2.CELDeviceSelector', () => ({
  expression: required(1, string),
}));
export interface CELDeviceSelector extends Infer<typeof CELDeviceSelector> {}

import { type Infer, pointer, rawExtension, ref, required, string, struct } from '#schema/build.ts';

export const DeviceConfiguration = struct(
  'io.k8s.api.resource.v1beta1.DeviceConfiguration',
  () => ({
    opaque: pointer(1, ref<OpaqueDeviceConfiguration>(OpaqueDeviceConfiguration)),
  }),
  { unpublished: true },
);
export interface DeviceConfiguration extends Infer<typeof DeviceConfiguration> {}

export const OpaqueDeviceConfiguration = struct('io.k8s.api.resource.v1beta1.OpaqueDeviceConfiguration', () => ({
  driver: required(1, string),
  parameters: required(2, rawExtension),
}));
export interface OpaqueDeviceConfiguration extends Infer<typeof OpaqueDeviceConfiguration> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { DeviceConfiguration } from '#kinds/resource/v1/device-configuration.ts';
import { DeviceSelector } from '#kinds/resource/v1/device-selector.ts';
import { embedded, type Infer, inline, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const DeviceClass = rootStruct(
  'io.k8s.api.resource.v1.DeviceClass',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<DeviceClassSpec>(DeviceClassSpec)),
  }),
  { gvks: [['resource.k8s.io', 'v1', 'DeviceClass']] },
);
export interface DeviceClass extends Infer<typeof DeviceClass> {}

export const DeviceClassList = rootStruct(
  'io.k8s.api.resource.v1.DeviceClassList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<DeviceClass>(DeviceClass))),
  }),
  { gvks: [['resource.k8s.io', 'v1', 'DeviceClassList']] },
);
export interface DeviceClassList extends Infer<typeof DeviceClassList> {}

export const DeviceClassSpec = struct('io.k8s.api.resource.v1.DeviceClassSpec', () => ({
  selectors: optional(1, list(ref<DeviceSelector>(DeviceSelector)), { merge: 'atomic' }),
  config: optional(2, list(ref<DeviceClassConfiguration>(DeviceClassConfiguration)), { merge: 'atomic' }),
  extendedResourceName: pointer(4, string),
}));
export interface DeviceClassSpec extends Infer<typeof DeviceClassSpec> {}

export const DeviceClassConfiguration = struct('io.k8s.api.resource.v1.DeviceClassConfiguration', () => ({
  ...inline(1, 'deviceConfiguration', DeviceConfiguration),
}));
export interface DeviceClassConfiguration extends Infer<typeof DeviceClassConfiguration> {}

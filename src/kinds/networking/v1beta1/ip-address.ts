import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const IPAddress = rootStruct(
  'io.k8s.api.networking.v1beta1.IPAddress',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<IPAddressSpec>(IPAddressSpec), { mandatory: true }),
  }),
  { gvks: [['networking.k8s.io', 'v1beta1', 'IPAddress']] },
);
export interface IPAddress extends Infer<typeof IPAddress> {}

export const IPAddressList = rootStruct(
  'io.k8s.api.networking.v1beta1.IPAddressList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<IPAddress>(IPAddress))),
  }),
  { gvks: [['networking.k8s.io', 'v1beta1', 'IPAddressList']] },
);
export interface IPAddressList extends Infer<typeof IPAddressList> {}

export const IPAddressSpec = struct('io.k8s.api.networking.v1beta1.IPAddressSpec', () => ({
  parentRef: pointer(1, ref<ParentReference>(ParentReference), { mandatory: true }),
}));
export interface IPAddressSpec extends Infer<typeof IPAddressSpec> {}

export const ParentReference = struct('io.k8s.api.networking.v1beta1.ParentReference', () => ({
  group: optional(1, string),
  resource: required(2, string, { written: 'nonempty' }),
  namespace: optional(3, string),
  name: required(4, string, { written: 'nonempty' }),
}));
export interface ParentReference extends Infer<typeof ParentReference> {}

import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ServiceCIDR = rootStruct(
  'io.k8s.api.networking.v1beta1.ServiceCIDR',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ServiceCIDRSpec>(ServiceCIDRSpec)),
    status: embedded(3, ref<ServiceCIDRStatus>(ServiceCIDRStatus)),
  }),
  { gvks: [['networking.k8s.io', 'v1beta1', 'ServiceCIDR']] },
);
export interface ServiceCIDR extends Infer<typeof ServiceCIDR> {}

export const ServiceCIDRList = rootStruct(
  'io.k8s.api.networking.v1beta1.ServiceCIDRList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ServiceCIDR>(ServiceCIDR))),
  }),
  { gvks: [['networking.k8s.io', 'v1beta1', 'ServiceCIDRList']] },
);
export interface ServiceCIDRList extends Infer<typeof ServiceCIDRList> {}

export const ServiceCIDRSpec = struct('io.k8s.api.networking.v1beta1.ServiceCIDRSpec', () => ({
  cidrs: optional(1, list(string), { merge: 'atomic' }),
}));
export interface ServiceCIDRSpec extends Infer<typeof ServiceCIDRSpec> {}

export const ServiceCIDRStatus = struct('io.k8s.api.networking.v1beta1.ServiceCIDRStatus', () => ({
  conditions: optional(1, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface ServiceCIDRStatus extends Infer<typeof ServiceCIDRStatus> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, microTime, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Lease = rootStruct(
  'io.k8s.api.coordination.v1.Lease',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<LeaseSpec>(LeaseSpec)),
  }),
  { gvks: [['coordination.k8s.io', 'v1', 'Lease']] },
);
export interface Lease extends Infer<typeof Lease> {}

export const LeaseList = rootStruct(
  'io.k8s.api.coordination.v1.LeaseList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Lease>(Lease))),
  }),
  { gvks: [['coordination.k8s.io', 'v1', 'LeaseList']] },
);
export interface LeaseList extends Infer<typeof LeaseList> {}

export const LeaseSpec = struct('io.k8s.api.coordination.v1.LeaseSpec', () => ({
  holderIdentity: pointer(1, string),
  leaseDurationSeconds: pointer(2, int32),
  acquireTime: pointer(3, microTime),
  renewTime: pointer(4, microTime),
  leaseTransitions: pointer(5, int32),
  strategy: pointer(6, string, { goType: 'v1.CoordinatedLeaseStrategy' }),
  preferredHolder: pointer(7, string),
}));
export interface LeaseSpec extends Infer<typeof LeaseSpec> {}

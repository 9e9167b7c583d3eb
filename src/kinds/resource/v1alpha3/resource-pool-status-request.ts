import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, int64, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ResourcePoolStatusRequest = rootStruct(
  'io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequest',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta), { mandatory: true }),
    spec: required(2, ref<ResourcePoolStatusRequestSpec>(ResourcePoolStatusRequestSpec)),
    status: pointer(3, ref<ResourcePoolStatusRequestStatus>(ResourcePoolStatusRequestStatus)),
  }),
  { gvks: [['resource.k8s.io', 'v1alpha3', 'ResourcePoolStatusRequest']] },
);
export interface ResourcePoolStatusRequest extends Infer<typeof ResourcePoolStatusRequest> {}

export const ResourcePoolStatusRequestList = rootStruct(
  'io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ResourcePoolStatusRequest>(ResourcePoolStatusRequest))),
  }),
  { gvks: [['resource.k8s.io', 'v1alpha3', 'ResourcePoolStatusRequestList']] },
);
export interface ResourcePoolStatusRequestList extends Infer<typeof ResourcePoolStatusRequestList> {}

export const PoolStatus = struct('io.k8s.api.resource.v1alpha3.PoolStatus', () => ({
  driver: required(1, string, { written: 'nonempty' }),
  poolName: required(2, string, { written: 'nonempty' }),
  generation: required(9, int64),
  resourceSliceCount: pointer(8, int32),
  totalDevices: pointer(4, int32),
  allocatedDevices: pointer(5, int32),
  availableDevices: pointer(6, int32),
  unavailableDevices: pointer(7, int32),
  nodeName: pointer(3, string),
  validationError: pointer(10, string),
}));
export interface PoolStatus extends Infer<typeof PoolStatus> {}

export const ResourcePoolStatusRequestSpec = struct('io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestSpec', () => ({
  driver: required(1, string),
  poolName: pointer(2, string),
  limit: pointer(3, int32, { default: 100 }),
}));
export interface ResourcePoolStatusRequestSpec extends Infer<typeof ResourcePoolStatusRequestSpec> {}

export const ResourcePoolStatusRequestStatus = struct('io.k8s.api.resource.v1alpha3.ResourcePoolStatusRequestStatus', () => ({
  poolCount: pointer(6, int32, { mandatory: true }),
  pools: optional(2, list(ref<PoolStatus>(PoolStatus)), { merge: 'atomic' }),
  conditions: optional(3, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface ResourcePoolStatusRequestStatus extends Infer<typeof ResourcePoolStatusRequestStatus> {}

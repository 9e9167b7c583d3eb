import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const Endpoints = rootStruct(
  'io.k8s.api.core.v1.Endpoints',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    subsets: optional(2, list(ref<EndpointSubset>(EndpointSubset)), { merge: 'atomic' }),
  }),
  { gvks: [['', 'v1', 'Endpoints']] },
);
export interface Endpoints extends Infer<typeof Endpoints> {}

export const EndpointsList = rootStruct(
  'io.k8s.api.core.v1.EndpointsList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Endpoints>(Endpoints))),
  }),
  { gvks: [['', 'v1', 'EndpointsList']] },
);
export interface EndpointsList extends Infer<typeof EndpointsList> {}

export const EndpointAddress = struct(
  'io.k8s.api.core.v1.EndpointAddress',
  () => ({
    ip: required(1, string),
    hostname: optional(3, string),
    nodeName: pointer(4, string),
    targetRef: pointer(2, ref<ObjectReference>(ObjectReference)),
  }),
  { atomic: true },
);
export interface EndpointAddress extends Infer<typeof EndpointAddress> {}

export const EndpointPort = struct(
  'io.k8s.api.core.v1.EndpointPort',
  () => ({
    name: optional(1, string),
    port: required(2, int32),
    protocol: optional(3, string, { enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
    appProtocol: pointer(4, string),
  }),
  { atomic: true },
);
export interface EndpointPort extends Infer<typeof EndpointPort> {}

export const EndpointSubset = struct('io.k8s.api.core.v1.EndpointSubset', () => ({
  addresses: optional(1, list(ref<EndpointAddress>(EndpointAddress)), { merge: 'atomic' }),
  notReadyAddresses: optional(2, list(ref<EndpointAddress>(EndpointAddress)), { merge: 'atomic' }),
  ports: optional(3, list(ref<EndpointPort>(EndpointPort)), { merge: 'atomic' }),
}));
export interface EndpointSubset extends Infer<typeof EndpointSubset> {}

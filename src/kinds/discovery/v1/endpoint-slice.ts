import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int32, list, map, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const EndpointSlice = rootStruct(
  'io.k8s.api.discovery.v1.EndpointSlice',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    addressType: required(4, string, { enum: ['FQDN', 'IPv4', 'IPv6'], goType: 'v1.AddressType' }),
    endpoints: optional(2, list(ref<Endpoint>(Endpoint)), { written: 'always', merge: 'atomic' }),
    ports: optional(3, list(ref<EndpointPort>(EndpointPort)), { written: 'always', merge: 'atomic' }),
  }),
  { gvks: [['discovery.k8s.io', 'v1', 'EndpointSlice']] },
);
export interface EndpointSlice extends Infer<typeof EndpointSlice> {}

export const EndpointSliceList = rootStruct(
  'io.k8s.api.discovery.v1.EndpointSliceList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<EndpointSlice>(EndpointSlice))),
  }),
  { gvks: [['discovery.k8s.io', 'v1', 'EndpointSliceList']] },
);
export interface EndpointSliceList extends Infer<typeof EndpointSliceList> {}

export const Endpoint = struct('io.k8s.api.discovery.v1.Endpoint', () => ({
  addresses: required(1, list(string), { merge: 'set' }),
  conditions: embedded(2, ref<EndpointConditions>(EndpointConditions)),
  hostname: pointer(3, string),
  targetRef: pointer(4, ref<ObjectReference>(ObjectReference)),
  deprecatedTopology: optional(5, map(string)),
  nodeName: pointer(6, string),
  zone: pointer(7, string),
  hints: pointer(8, ref<EndpointHints>(EndpointHints)),
}));
export interface Endpoint extends Infer<typeof Endpoint> {}

export const EndpointConditions = struct('io.k8s.api.discovery.v1.EndpointConditions', () => ({
  ready: pointer(1, boolean),
  serving: pointer(2, boolean),
  terminating: pointer(3, boolean),
}));
export interface EndpointConditions extends Infer<typeof EndpointConditions> {}

export const EndpointHints = struct('io.k8s.api.discovery.v1.EndpointHints', () => ({
  forZones: optional(1, list(ref<ForZone>(ForZone)), { merge: 'atomic' }),
  forNodes: optional(2, list(ref<ForNode>(ForNode)), { merge: 'atomic' }),
}));
export interface EndpointHints extends Infer<typeof EndpointHints> {}

export const ForZone = struct('io.k8s.api.discovery.v1.ForZone', () => ({
  name: required(1, string),
}));
export interface ForZone extends Infer<typeof ForZone> {}

export const ForNode = struct('io.k8s.api.discovery.v1.ForNode', () => ({
  name: required(1, string),
}));
export interface ForNode extends Infer<typeof ForNode> {}

export const EndpointPort = struct(
  'io.k8s.api.discovery.v1.EndpointPort',
  () => ({
    name: pointer(1, string),
    protocol: pointer(2, string, { enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
    port: pointer(3, int32),
    appProtocol: pointer(4, string),
  }),
  { atomic: true },
);
export interface EndpointPort extends Infer<typeof EndpointPort> {}

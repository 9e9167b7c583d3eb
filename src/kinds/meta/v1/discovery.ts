import { boolean, embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const APIGroup = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroup',
  () => ({
    name: required(1, string),
    versions: required(2, list(ref<GroupVersionForDiscovery>(GroupVersionForDiscovery)), { merge: 'atomic' }),
    preferredVersion: embedded(3, ref<GroupVersionForDiscovery>(GroupVersionForDiscovery)),
    serverAddressByClientCIDRs: optional(4, list(ref<ServerAddressByClientCIDR>(ServerAddressByClientCIDR)), { merge: 'atomic' }),
  }),
  { gvks: [['', 'v1', 'APIGroup']] },
);
export interface APIGroup extends Infer<typeof APIGroup> {}

export const APIGroupList = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIGroupList',
  () => ({
    groups: required(1, list(ref<APIGroup>(APIGroup)), { merge: 'atomic' }),
  }),
  { gvks: [['', 'v1', 'APIGroupList']] },
);
export interface APIGroupList extends Infer<typeof APIGroupList> {}

export const APIResourceList = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList',
  () => ({
    groupVersion: required(1, string),
    resources: required(2, list(ref<APIResource>(APIResource)), { merge: 'atomic' }),
  }),
  { gvks: [['', 'v1', 'APIResourceList']] },
);
export interface APIResourceList extends Infer<typeof APIResourceList> {}

export const APIVersions = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.APIVersions',
  () => ({
    versions: required(1, list(string), { merge: 'atomic' }),
    serverAddressByClientCIDRs: required(2, list(ref<ServerAddressByClientCIDR>(ServerAddressByClientCIDR)), { merge: 'atomic' }),
  }),
  { gvks: [['', 'v1', 'APIVersions']] },
);
export interface APIVersions extends Infer<typeof APIVersions> {}

export const GroupVersionForDiscovery = struct('io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery', () => ({
  groupVersion: required(1, string),
  version: required(2, string),
}));
export interface GroupVersionForDiscovery extends Infer<typeof GroupVersionForDiscovery> {}

export const ServerAddressByClientCIDR = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR', () => ({
  clientCIDR: required(1, string),
  serverAddress: required(2, string),
}));
export interface ServerAddressByClientCIDR extends Infer<typeof ServerAddressByClientCIDR> {}

export const APIResource = struct('io.k8s.apimachinery.pkg.apis.meta.v1.APIResource', () => ({
  name: required(1, string),
  singularName: required(6, string),
  namespaced: required(2, boolean),
  group: optional(8, string),
  version: optional(9, string),
  kind: required(3, string),
  verbs: required(4, list(string, { wrapped: 'io.k8s.apimachinery.pkg.apis.meta.v1.Verbs' }), { goType: 'v1.Verbs' }),
  shortNames: optional(5, list(string), { merge: 'atomic' }),
  categories: optional(7, list(string), { merge: 'atomic' }),
  storageVersionHash: optional(10, string),
}));
export interface APIResource extends Infer<typeof APIResource> {}

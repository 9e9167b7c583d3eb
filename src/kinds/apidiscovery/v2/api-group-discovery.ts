// Aggregated discovery: all groups, versions and resources in one document.
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const APIGroupDiscoveryList = rootStruct(
  'io.k8s.api.apidiscovery.v2.APIGroupDiscoveryList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<APIGroupDiscovery>(APIGroupDiscovery))),
  }),
  { unpublished: true },
);
export interface APIGroupDiscoveryList extends Infer<typeof APIGroupDiscoveryList> {}

export const APIGroupDiscovery = rootStruct(
  'io.k8s.api.apidiscovery.v2.APIGroupDiscovery',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    versions: optional(2, list(ref<APIVersionDiscovery>(APIVersionDiscovery))),
  }),
  { unpublished: true },
);
export interface APIGroupDiscovery extends Infer<typeof APIGroupDiscovery> {}

export const APIVersionDiscovery = struct(
  'io.k8s.api.apidiscovery.v2.APIVersionDiscovery',
  () => ({
    version: required(1, string),
    resources: optional(2, list(ref<APIResourceDiscovery>(APIResourceDiscovery))),
    freshness: optional(3, string, { goType: 'v2.DiscoveryFreshness' }),
  }),
  { unpublished: true },
);
export interface APIVersionDiscovery extends Infer<typeof APIVersionDiscovery> {}

export const APIResourceDiscovery = struct(
  'io.k8s.api.apidiscovery.v2.APIResourceDiscovery',
  () => ({
    resource: required(1, string),
    responseKind: pointer(2, ref<ResponseKind>(ResponseKind)),
    scope: required(3, string, { goType: 'v2.ResourceScope' }),
    singularResource: required(4, string),
    verbs: required(5, list(string)),
    shortNames: optional(6, list(string)),
    categories: optional(7, list(string)),
    subresources: optional(8, list(ref<APISubresourceDiscovery>(APISubresourceDiscovery))),
  }),
  { unpublished: true },
);
export interface APIResourceDiscovery extends Infer<typeof APIResourceDiscovery> {}

export const APISubresourceDiscovery = struct(
  'io.k8s.api.apidiscovery.v2.APISubresourceDiscovery',
  () => ({
    subresource: required(1, string),
    responseKind: pointer(2, ref<ResponseKind>(ResponseKind)),
    acceptedTypes: optional(3, list(ref<ResponseKind>(ResponseKind))),
    verbs: required(4, list(string)),
  }),
  { unpublished: true },
);
export interface APISubresourceDiscovery extends Infer<typeof APISubresourceDiscovery> {}

export const ResponseKind = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.GroupVersionKind',
  () => ({
    group: required(1, string),
    version: required(2, string),
    kind: required(3, string),
  }),
  { unpublished: true },
);
export interface ResponseKind extends Infer<typeof ResponseKind> {}

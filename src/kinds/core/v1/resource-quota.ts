import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, map, optional, pointer, quantity, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ResourceQuota = rootStruct(
  'io.k8s.api.core.v1.ResourceQuota',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ResourceQuotaSpec>(ResourceQuotaSpec)),
    status: embedded(3, ref<ResourceQuotaStatus>(ResourceQuotaStatus)),
  }),
  { gvks: [['', 'v1', 'ResourceQuota']] },
);
export interface ResourceQuota extends Infer<typeof ResourceQuota> {}

export const ResourceQuotaList = rootStruct(
  'io.k8s.api.core.v1.ResourceQuotaList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ResourceQuota>(ResourceQuota))),
  }),
  { gvks: [['', 'v1', 'ResourceQuotaList']] },
);
export interface ResourceQuotaList extends Infer<typeof ResourceQuotaList> {}

export const ResourceQuotaSpec = struct('io.k8s.api.core.v1.ResourceQuotaSpec', () => ({
  hard: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
  scopes: optional(2, list(string), {
    enum: ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'],
    merge: 'atomic',
    goType: '[]v1.ResourceQuotaScope',
  }),
  scopeSelector: pointer(3, ref<ScopeSelector>(ScopeSelector)),
}));
export interface ResourceQuotaSpec extends Infer<typeof ResourceQuotaSpec> {}

export const ScopeSelector = struct(
  'io.k8s.api.core.v1.ScopeSelector',
  () => ({
    matchExpressions: optional(1, list(ref<ScopedResourceSelectorRequirement>(ScopedResourceSelectorRequirement)), { merge: 'atomic' }),
  }),
  { atomic: true },
);
export interface ScopeSelector extends Infer<typeof ScopeSelector> {}

export const ScopedResourceSelectorRequirement = struct('io.k8s.api.core.v1.ScopedResourceSelectorRequirement', () => ({
  scopeName: required(1, string, {
    enum: ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating', 'VolumeAttributesClass'],
    goType: 'v1.ResourceQuotaScope',
  }),
  operator: required(2, string, { enum: ['DoesNotExist', 'Exists', 'In', 'NotIn'], goType: 'v1.ScopeSelectorOperator' }),
  values: optional(3, list(string), { merge: 'atomic' }),
}));
export interface ScopedResourceSelectorRequirement extends Infer<typeof ScopedResourceSelectorRequirement> {}

export const ResourceQuotaStatus = struct('io.k8s.api.core.v1.ResourceQuotaStatus', () => ({
  hard: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
  used: optional(2, map(quantity), { goType: 'v1.ResourceList' }),
}));
export interface ResourceQuotaStatus extends Infer<typeof ResourceQuotaStatus> {}

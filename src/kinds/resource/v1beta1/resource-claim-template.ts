import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { ResourceClaimSpec } from '#kinds/resource/v1beta1/resource-claim-spec.ts';
import { embedded, type Infer, list, ref, required, rootStruct, struct } from '#schema/build.ts';

export const ResourceClaimTemplate = rootStruct(
  'io.k8s.api.resource.v1beta1.ResourceClaimTemplate',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<ResourceClaimTemplateSpec>(ResourceClaimTemplateSpec)),
  }),
  { gvks: [['resource.k8s.io', 'v1beta1', 'ResourceClaimTemplate']] },
);
export interface ResourceClaimTemplate extends Infer<typeof ResourceClaimTemplate> {}

export const ResourceClaimTemplateList = rootStruct(
  'io.k8s.api.resource.v1beta1.ResourceClaimTemplateList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ResourceClaimTemplate>(ResourceClaimTemplate))),
  }),
  { gvks: [['resource.k8s.io', 'v1beta1', 'ResourceClaimTemplateList']] },
);
export interface ResourceClaimTemplateList extends Infer<typeof ResourceClaimTemplateList> {}

export const ResourceClaimTemplateSpec = struct('io.k8s.api.resource.v1beta1.ResourceClaimTemplateSpec', () => ({
  metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
  spec: required(2, ref<ResourceClaimSpec>(ResourceClaimSpec)),
}));
export interface ResourceClaimTemplateSpec extends Infer<typeof ResourceClaimTemplateSpec> {}

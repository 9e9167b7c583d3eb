import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, ref, required, rootStruct } from '#schema/build.ts';

export const PodTemplate = rootStruct(
  'io.k8s.api.core.v1.PodTemplate',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    template: embedded(2, ref<PodTemplateSpec>(PodTemplateSpec)),
  }),
  { gvks: [['', 'v1', 'PodTemplate']] },
);
export interface PodTemplate extends Infer<typeof PodTemplate> {}

export const PodTemplateList = rootStruct(
  'io.k8s.api.core.v1.PodTemplateList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PodTemplate>(PodTemplate))),
  }),
  { gvks: [['', 'v1', 'PodTemplateList']] },
);
export interface PodTemplateList extends Infer<typeof PodTemplateList> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, ref, required, rootStruct } from '#schema/build.ts';

export const PartialObjectMetadata = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
  }),
  { unpublished: true },
);
export interface PartialObjectMetadata extends Infer<typeof PartialObjectMetadata> {}

export const PartialObjectMetadataList = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadataList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PartialObjectMetadata>(PartialObjectMetadata))),
  }),
  { unpublished: true },
);
export interface PartialObjectMetadataList extends Infer<typeof PartialObjectMetadataList> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { embedded, type Infer, list, rawExtension, ref, required, rootStruct } from '#schema/build.ts';

export const List = rootStruct(
  'io.k8s.api.core.v1.List',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta), { written: 'always' }),
    items: required(2, list(rawExtension)),
  }),
  { unpublished: true },
);
export interface List extends Infer<typeof List> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, bytes, embedded, type Infer, list, map, optional, pointer, ref, required, rootStruct, string } from '#schema/build.ts';

export const ConfigMap = rootStruct(
  'io.k8s.api.core.v1.ConfigMap',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    immutable: pointer(4, boolean),
    data: optional(2, map(string)),
    binaryData: optional(3, map(bytes)),
  }),
  { gvks: [['', 'v1', 'ConfigMap']] },
);
export interface ConfigMap extends Infer<typeof ConfigMap> {}

export const ConfigMapList = rootStruct(
  'io.k8s.api.core.v1.ConfigMapList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ConfigMap>(ConfigMap))),
  }),
  { gvks: [['', 'v1', 'ConfigMapList']] },
);
export interface ConfigMapList extends Infer<typeof ConfigMapList> {}

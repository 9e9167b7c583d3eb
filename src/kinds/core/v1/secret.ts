import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, bytes, embedded, type Infer, list, map, optional, pointer, ref, required, rootStruct, string } from '#schema/build.ts';

export const Secret = rootStruct(
  'io.k8s.api.core.v1.Secret',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    immutable: pointer(5, boolean),
    data: optional(2, map(bytes)),
    stringData: optional(4, map(string)),
    type: optional(3, string, { goType: 'v1.SecretType' }),
  }),
  { gvks: [['', 'v1', 'Secret']] },
);
export interface Secret extends Infer<typeof Secret> {}

export const SecretList = rootStruct(
  'io.k8s.api.core.v1.SecretList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Secret>(Secret))),
  }),
  { gvks: [['', 'v1', 'SecretList']] },
);
export interface SecretList extends Infer<typeof SecretList> {}

import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { DeleteOptions } from '#kinds/meta/v1/options.ts';
import { embedded, type Infer, pointer, ref, rootStruct } from '#schema/build.ts';

export const Eviction = rootStruct(
  'io.k8s.api.policy.v1.Eviction',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    deleteOptions: pointer(2, ref<DeleteOptions>(DeleteOptions)),
  }),
  { gvks: [['policy', 'v1', 'Eviction']] },
);
export interface Eviction extends Infer<typeof Eviction> {}

import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, ref, required, rootStruct } from '#schema/build.ts';

export const Binding = rootStruct(
  'io.k8s.api.core.v1.Binding',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    target: required(2, ref<ObjectReference>(ObjectReference)),
  }),
  { gvks: [['', 'v1', 'Binding']] },
);
export interface Binding extends Infer<typeof Binding> {}

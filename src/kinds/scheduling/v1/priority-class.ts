import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string } from '#schema/build.ts';

export const PriorityClass = rootStruct(
  'io.k8s.api.scheduling.v1.PriorityClass',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    value: optional(2, int32, { written: 'always' }),
    globalDefault: optional(3, boolean),
    description: optional(4, string),
    preemptionPolicy: pointer(5, string, { enum: ['Never', 'PreemptLowerPriority'], goType: 'v1.PreemptionPolicy' }),
  }),
  { gvks: [['scheduling.k8s.io', 'v1', 'PriorityClass']] },
);
export interface PriorityClass extends Infer<typeof PriorityClass> {}

export const PriorityClassList = rootStruct(
  'io.k8s.api.scheduling.v1.PriorityClassList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PriorityClass>(PriorityClass))),
  }),
  { gvks: [['scheduling.k8s.io', 'v1', 'PriorityClassList']] },
);
export interface PriorityClassList extends Infer<typeof PriorityClassList> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, map, optional, quantity, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const LimitRange = rootStruct(
  'io.k8s.api.core.v1.LimitRange',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<LimitRangeSpec>(LimitRangeSpec)),
  }),
  { gvks: [['', 'v1', 'LimitRange']] },
);
export interface LimitRange extends Infer<typeof LimitRange> {}

export const LimitRangeList = rootStruct(
  'io.k8s.api.core.v1.LimitRangeList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<LimitRange>(LimitRange))),
  }),
  { gvks: [['', 'v1', 'LimitRangeList']] },
);
export interface LimitRangeList extends Infer<typeof LimitRangeList> {}

export const LimitRangeSpec = struct('io.k8s.api.core.v1.LimitRangeSpec', () => ({
  limits: required(1, list(ref<LimitRangeItem>(LimitRangeItem)), { merge: 'atomic' }),
}));
export interface LimitRangeSpec extends Infer<typeof LimitRangeSpec> {}

export const LimitRangeItem = struct('io.k8s.api.core.v1.LimitRangeItem', () => ({
  type: required(1, string, { goType: 'v1.LimitType' }),
  max: optional(2, map(quantity), { goType: 'v1.ResourceList' }),
  min: optional(3, map(quantity), { goType: 'v1.ResourceList' }),
  default: optional(4, map(quantity), { goType: 'v1.ResourceList' }),
  defaultRequest: optional(5, map(quantity), { goType: 'v1.ResourceList' }),
  maxLimitRequestRatio: optional(6, map(quantity), { goType: 'v1.ResourceList' }),
}));
export interface LimitRangeItem extends Infer<typeof LimitRangeItem> {}

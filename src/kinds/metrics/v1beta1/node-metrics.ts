import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { duration, embedded, type Infer, list, map, quantity, ref, required, rootStruct, time } from '#schema/build.ts';

export const NodeMetrics = rootStruct(
  'io.k8s.metrics.pkg.apis.metrics.v1beta1.NodeMetrics',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    timestamp: required(2, time),
    window: required(3, duration),
    usage: required(4, map(quantity), { goType: 'v1.ResourceList' }),
  }),
  { unpublished: true },
);
export interface NodeMetrics extends Infer<typeof NodeMetrics> {}

export const NodeMetricsList = rootStruct(
  'io.k8s.metrics.pkg.apis.metrics.v1beta1.NodeMetricsList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<NodeMetrics>(NodeMetrics))),
  }),
  { unpublished: true },
);
export interface NodeMetricsList extends Infer<typeof NodeMetricsList> {}

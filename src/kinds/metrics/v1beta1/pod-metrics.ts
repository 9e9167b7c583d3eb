import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { duration, embedded, type Infer, list, map, quantity, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PodMetrics = rootStruct(
  'io.k8s.metrics.pkg.apis.metrics.v1beta1.PodMetrics',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    timestamp: required(2, time),
    window: required(3, duration),
    containers: required(4, list(ref<ContainerMetrics>(ContainerMetrics)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface PodMetrics extends Infer<typeof PodMetrics> {}

export const PodMetricsList = rootStruct(
  'io.k8s.metrics.pkg.apis.metrics.v1beta1.PodMetricsList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PodMetrics>(PodMetrics))),
  }),
  { unpublished: true },
);
export interface PodMetricsList extends Infer<typeof PodMetricsList> {}

export const ContainerMetrics = struct(
  'io.k8s.metrics.pkg.apis.metrics.v1beta1.ContainerMetrics',
  () => ({
    name: required(1, string),
    usage: required(2, map(quantity), { goType: 'v1.ResourceList' }),
  }),
  { unpublished: true },
);
export interface ContainerMetrics extends Infer<typeof ContainerMetrics> {}

import { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, ref, required, rootStruct } from '#schema/build.ts';

export const Pod = rootStruct(
  'io.k8s.api.core.v1.Pod',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PodSpec>(PodSpec)),
    status: embedded(3, ref<PodStatus>(PodStatus)),
  }),
  { gvks: [['', 'v1', 'Pod']] },
);
export interface Pod extends Infer<typeof Pod> {}

export const PodList = rootStruct(
  'io.k8s.api.core.v1.PodList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Pod>(Pod))),
  }),
  { gvks: [['', 'v1', 'PodList']] },
);
export interface PodList extends Infer<typeof PodList> {}

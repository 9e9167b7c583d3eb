import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int64, list, optional, rawExtension, ref, required, rootStruct } from '#schema/build.ts';

export const ControllerRevision = rootStruct(
  'io.k8s.api.apps.v1.ControllerRevision',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    data: optional(2, rawExtension),
    revision: required(3, int64),
  }),
  { gvks: [['apps', 'v1', 'ControllerRevision']] },
);
export interface ControllerRevision extends Infer<typeof ControllerRevision> {}

export const ControllerRevisionList = rootStruct(
  'io.k8s.api.apps.v1.ControllerRevisionList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ControllerRevision>(ControllerRevision))),
  }),
  { gvks: [['apps', 'v1', 'ControllerRevisionList']] },
);
export interface ControllerRevisionList extends Infer<typeof ControllerRevisionList> {}

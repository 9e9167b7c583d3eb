import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, rootStruct, string, struct } from '#schema/build.ts';

export const Status = rootStruct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    status: optional(2, string),
    message: optional(3, string),
    reason: optional(4, string, { goType: 'v1.StatusReason' }),
    details: pointer(5, ref<StatusDetails>(StatusDetails)),
    code: optional(6, int32),
  }),
  { gvks: [['', 'v1', 'Status']] },
);
export interface Status extends Infer<typeof Status> {}

export const StatusDetails = struct('io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails', () => ({
  name: optional(1, string),
  group: optional(2, string),
  kind: optional(3, string),
  uid: optional(6, string, { goType: 'types.UID' }),
  causes: optional(4, list(ref<StatusCause>(StatusCause)), { merge: 'atomic' }),
  retryAfterSeconds: optional(5, int32),
}));
export interface StatusDetails extends Infer<typeof StatusDetails> {}

export const StatusCause = struct('io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause', () => ({
  reason: optional(1, string, { goType: 'v1.CauseType' }),
  message: optional(2, string),
  field: optional(3, string),
}));
export interface StatusCause extends Infer<typeof StatusCause> {}

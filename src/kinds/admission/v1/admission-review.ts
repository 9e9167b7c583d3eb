import { UserInfo } from '#kinds/authentication/v1/user-info.ts';
import { GroupVersionKind, GroupVersionResource } from '#kinds/meta/v1/group-version.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { boolean, bytes, embedded, type Infer, list, map, optional, pointer, rawExtension, ref, rootStruct, string, struct } from '#schema/build.ts';

export const AdmissionReview = rootStruct(
  'io.k8s.api.admission.v1.AdmissionReview',
  () => ({
    request: pointer(1, ref<AdmissionRequest>(AdmissionRequest)),
    response: pointer(2, ref<AdmissionResponse>(AdmissionResponse)),
  }),
  { unpublished: true },
);
export interface AdmissionReview extends Infer<typeof AdmissionReview> {}

export const AdmissionRequest = struct(
  'io.k8s.api.admission.v1.AdmissionRequest',
  () => ({
    uid: optional(1, string, { written: 'always', goType: 'types.UID' }),
    kind: embedded(2, ref<GroupVersionKind>(GroupVersionKind), { written: 'always' }),
    resource: embedded(3, ref<GroupVersionResource>(GroupVersionResource), { written: 'always' }),
    subResource: optional(4, string),
    requestKind: pointer(13, ref<GroupVersionKind>(GroupVersionKind)),
    requestResource: pointer(14, ref<GroupVersionResource>(GroupVersionResource)),
    requestSubResource: optional(15, string),
    name: optional(5, string),
    namespace: optional(6, string),
    operation: optional(7, string, { written: 'always', goType: 'v1.Operation' }),
    userInfo: embedded(8, ref<UserInfo>(UserInfo), { written: 'always' }),
    object: optional(9, rawExtension),
    oldObject: optional(10, rawExtension),
    dryRun: pointer(11, boolean),
    options: optional(12, rawExtension),
  }),
  { unpublished: true },
);
export interface AdmissionRequest extends Infer<typeof AdmissionRequest> {}

export const AdmissionResponse = struct(
  'io.k8s.api.admission.v1.AdmissionResponse',
  () => ({
    uid: optional(1, string, { written: 'always', goType: 'types.UID' }),
    allowed: optional(2, boolean, { written: 'always' }),
    status: pointer(3, ref<Status>(Status)),
    patch: optional(4, bytes),
    patchType: pointer(5, string, { goType: 'v1.PatchType' }),
    auditAnnotations: optional(6, map(string)),
    warnings: optional(7, list(string)),
  }),
  { unpublished: true },
);
export interface AdmissionResponse extends Infer<typeof AdmissionResponse> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { bytes, embedded, type Infer, int32, list, map, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const CertificateSigningRequest = rootStruct(
  'io.k8s.api.certificates.v1beta1.CertificateSigningRequest',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<CertificateSigningRequestSpec>(CertificateSigningRequestSpec)),
    status: embedded(3, ref<CertificateSigningRequestStatus>(CertificateSigningRequestStatus)),
  }),
  { unpublished: true },
);
export interface CertificateSigningRequest extends Infer<typeof CertificateSigningRequest> {}

export const CertificateSigningRequestList = rootStruct(
  'io.k8s.api.certificates.v1beta1.CertificateSigningRequestList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CertificateSigningRequest>(CertificateSigningRequest))),
  }),
  { unpublished: true },
);
export interface CertificateSigningRequestList extends Infer<typeof CertificateSigningRequestList> {}

export const CertificateSigningRequestSpec = struct(
  'io.k8s.api.certificates.v1beta1.CertificateSigningRequestSpec',
  () => ({
    request: required(1, bytes),
    signerName: pointer(7, string),
    expirationSeconds: pointer(8, int32),
    usages: optional(5, list(string), { merge: 'atomic', goType: '[]v1beta1.KeyUsage' }),
    username: optional(2, string),
    uid: optional(3, string),
    groups: optional(4, list(string), { merge: 'atomic' }),
    extra: optional(6, map(list(string, { wrapped: 'io.k8s.api.certificates.v1beta1.ExtraValue' })), { goType: 'map[string]v1beta1.ExtraValue' }),
  }),
  { unpublished: true },
);
export interface CertificateSigningRequestSpec extends Infer<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestStatus = struct(
  'io.k8s.api.certificates.v1beta1.CertificateSigningRequestStatus',
  () => ({
    conditions: optional(1, list(ref<CertificateSigningRequestCondition>(CertificateSigningRequestCondition)), { merge: { keys: ['type'] } }),
    certificate: optional(2, bytes),
  }),
  { unpublished: true },
);
export interface CertificateSigningRequestStatus extends Infer<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequestCondition = struct(
  'io.k8s.api.certificates.v1beta1.CertificateSigningRequestCondition',
  () => ({
    type: required(1, string, { goType: 'v1beta1.RequestConditionType' }),
    status: optional(6, string, { written: 'always', goType: 'v1.ConditionStatus' }),
    reason: optional(2, string),
    message: optional(3, string),
    lastUpdateTime: optional(4, time),
    lastTransitionTime: optional(5, time),
  }),
  { unpublished: true },
);
export interface CertificateSigningRequestCondition extends Infer<typeof CertificateSigningRequestCondition> {}

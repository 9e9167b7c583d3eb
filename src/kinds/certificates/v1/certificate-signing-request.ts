import { knownUsages } from '#kinds/certificates/v1/key-usages.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { bytes, embedded, type Infer, int32, list, map, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const CertificateSigningRequest = rootStruct(
  'io.k8s.api.certificates.v1.CertificateSigningRequest',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<CertificateSigningRequestSpec>(CertificateSigningRequestSpec)),
    status: embedded(3, ref<CertificateSigningRequestStatus>(CertificateSigningRequestStatus)),
  }),
  { gvks: [['certificates.k8s.io', 'v1', 'CertificateSigningRequest']] },
);
export interface CertificateSigningRequest extends Infer<typeof CertificateSigningRequest> {}

export const CertificateSigningRequestList = rootStruct(
  'io.k8s.api.certificates.v1.CertificateSigningRequestList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CertificateSigningRequest>(CertificateSigningRequest))),
  }),
  { gvks: [['certificates.k8s.io', 'v1', 'CertificateSigningRequestList']] },
);
export interface CertificateSigningRequestList extends Infer<typeof CertificateSigningRequestList> {}

export const CertificateSigningRequestSpec = struct('io.k8s.api.certificates.v1.CertificateSigningRequestSpec', () => ({
  request: required(1, bytes),
  signerName: required(7, string),
  expirationSeconds: pointer(8, int32),
  usages: optional(5, list(string), {
    enum: knownUsages,
    merge: 'atomic',
    goType: '[]v1.KeyUsage',
  }),
  username: optional(2, string),
  uid: optional(3, string),
  groups: optional(4, list(string), { merge: 'atomic' }),
  extra: optional(6, map(list(string, { wrapped: 'io.k8s.api.certificates.v1.ExtraValue' })), { goType: 'map[string]v1.ExtraValue' }),
}));
export interface CertificateSigningRequestSpec extends Infer<typeof CertificateSigningRequestSpec> {}

export const CertificateSigningRequestStatus = struct('io.k8s.api.certificates.v1.CertificateSigningRequestStatus', () => ({
  conditions: optional(1, list(ref<CertificateSigningRequestCondition>(CertificateSigningRequestCondition)), { merge: { keys: ['type'] } }),
  certificate: optional(2, bytes),
}));
export interface CertificateSigningRequestStatus extends Infer<typeof CertificateSigningRequestStatus> {}

export const CertificateSigningRequestCondition = struct('io.k8s.api.certificates.v1.CertificateSigningRequestCondition', () => ({
  type: required(1, string, { goType: 'v1.RequestConditionType' }),
  status: required(6, string, { goType: 'v1.ConditionStatus' }),
  reason: optional(2, string),
  message: optional(3, string),
  lastUpdateTime: optional(4, time),
  lastTransitionTime: optional(5, time),
}));
export interface CertificateSigningRequestCondition extends Infer<typeof CertificateSigningRequestCondition> {}

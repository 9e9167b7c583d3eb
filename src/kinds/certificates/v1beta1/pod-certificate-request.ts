import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { bytes, embedded, type Infer, int32, list, map, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const PodCertificateRequest = rootStruct(
  'io.k8s.api.certificates.v1beta1.PodCertificateRequest',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<PodCertificateRequestSpec>(PodCertificateRequestSpec)),
    status: embedded(3, ref<PodCertificateRequestStatus>(PodCertificateRequestStatus)),
  }),
  { gvks: [['certificates.k8s.io', 'v1beta1', 'PodCertificateRequest']] },
);
export interface PodCertificateRequest extends Infer<typeof PodCertificateRequest> {}

export const PodCertificateRequestList = rootStruct(
  'io.k8s.api.certificates.v1beta1.PodCertificateRequestList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<PodCertificateRequest>(PodCertificateRequest))),
  }),
  { gvks: [['certificates.k8s.io', 'v1beta1', 'PodCertificateRequestList']] },
);
export interface PodCertificateRequestList extends Infer<typeof PodCertificateRequestList> {}

export const PodCertificateRequestSpec = struct('io.k8s.api.certificates.v1beta1.PodCertificateRequestSpec', () => ({
  signerName: required(1, string),
  podName: required(2, string),
  podUID: required(3, string, { goType: 'types.UID' }),
  serviceAccountName: required(4, string),
  serviceAccountUID: required(5, string, { goType: 'types.UID' }),
  nodeName: required(6, string, { goType: 'types.NodeName' }),
  nodeUID: required(7, string, { goType: 'types.UID' }),
  maxExpirationSeconds: pointer(8, int32, { default: 86400 }),
  pkixPublicKey: optional(9, bytes, { written: 'always' }),
  proofOfPossession: optional(10, bytes, { written: 'always' }),
  stubPKCS10Request: required(12, bytes),
  unverifiedUserAnnotations: optional(11, map(string)),
}));
export interface PodCertificateRequestSpec extends Infer<typeof PodCertificateRequestSpec> {}

export const PodCertificateRequestStatus = struct('io.k8s.api.certificates.v1beta1.PodCertificateRequestStatus', () => ({
  conditions: optional(1, list(ref<Condition>(Condition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  certificateChain: optional(2, string),
  notBefore: pointer(4, time),
  beginRefreshAt: pointer(5, time),
  notAfter: pointer(6, time),
}));
export interface PodCertificateRequestStatus extends Infer<typeof PodCertificateRequestStatus> {}

import { podCertificateRequestColumns, podCertificateRequestStrategy } from '#kinds/certificates/v1beta1/pod-certificate-request-strategy.ts';
import { PodCertificateRequest, PodCertificateRequestList } from '#kinds/certificates/v1beta1/pod-certificate-request.ts';
import { defineResource } from '#resource/definition.ts';

export const podcertificaterequests = defineResource<PodCertificateRequest>({
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'PodCertificateRequest',
  plural: 'podcertificaterequests',
  singular: 'podcertificaterequest',
  namespaced: true,
  strategy: podCertificateRequestStrategy,
  columns: podCertificateRequestColumns,
  schema: PodCertificateRequest,
  list: PodCertificateRequestList,
  storage: { version: 'v1beta1', prefix: 'podcertificaterequests', hash: 'wYA9yXQH8fg=' },
  enabled: false,
  featureGate: 'PodCertificateRequest',
  lifecycle: { introduced: '1.35', deprecated: '1.38', removed: '1.41' },
  subresources: [{ name: 'status', kind: 'PodCertificateRequest', verbs: ['get', 'patch', 'update'], featureGate: 'PodCertificateRequest' }],
});

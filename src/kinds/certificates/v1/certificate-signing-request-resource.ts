import { signingRequestColumns, signingRequestStrategy } from '#kinds/certificates/v1/certificate-signing-request-strategy.ts';
import { CertificateSigningRequest, CertificateSigningRequestList } from '#kinds/certificates/v1/certificate-signing-request.ts';
import { defineResource } from '#resource/definition.ts';

export const certificatesigningrequests = defineResource<CertificateSigningRequest>({
  group: 'certificates.k8s.io',
  version: 'v1',
  kind: 'CertificateSigningRequest',
  plural: 'certificatesigningrequests',
  singular: 'certificatesigningrequest',
  namespaced: false,
  strategy: signingRequestStrategy,
  columns: signingRequestColumns,
  schema: CertificateSigningRequest,
  list: CertificateSigningRequestList,
  shortNames: ['csr'],
  storage: { version: 'v1', prefix: 'certificatesigningrequests', hash: '95fRKMXA+00=' },
  lifecycle: { introduced: '1.19' },
  subresources: [
    { name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'], tables: false },
    { name: 'status', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] },
  ],
});

// Nobody becomes a master of the cluster by asking for a client certificate.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { requestedSubject } from '#admission/requested-subject.ts';
import { only, refusal } from '#admission/request-subject.ts';
import type { CertificateSigningRequest } from '#kinds/certificates/v1/certificate-signing-request.ts';

const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
const signer = 'kubernetes.io/kube-apiserver-client';

export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  matches: only(['CREATE'], requests),
  validate(request) {
    const { spec } = request.object as unknown as CertificateSigningRequest;
    if (spec.signerName !== signer) return;
    const { organizations } = requestedSubject(request, spec.request, 'failed to parse CSR');
    if (organizations.includes('system:masters')) throw refusal(request, `use of ${signer} signer with system:masters group is not allowed`);
  },
};

// Approving a certificate request takes a right over its signer.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { type AskPermission, maySign } from '#admission/permission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import type { CertificateSigningRequest } from '#kinds/certificates/v1/certificate-signing-request.ts';

const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };

export function certificateApproval(ask: AskPermission): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    matches: only(['UPDATE'], requests, 'approval'),
    validate: (request) => refuseUnlessApprover(request, ask),
  };
}

/** The stored signer counts: the request could name another. */
async function refuseUnlessApprover(request: AdmissionRequest, ask: AskPermission): Promise<void> {
  const { signerName } = (request.old as unknown as CertificateSigningRequest).spec;
  if (await maySign(ask, request.user, 'approve', signerName)) return;
  throw refusal(request, `user not permitted to approve requests with signerName ${JSON.stringify(signerName)}`);
}

// Issuing a certificate takes a right over its signer.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { type AskPermission, maySign } from '#admission/permission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import { isDeepStrictEqual } from 'node:util';
import type { CertificateSigningRequest } from '#kinds/certificates/v1/certificate-signing-request.ts';

const requests = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };

export function certificateSigning(ask: AskPermission): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    matches: only(['UPDATE'], requests, 'status'),
    validate(request) {
      const [now, before] = [request.object as unknown as CertificateSigningRequest, request.old as unknown as CertificateSigningRequest];
      const same = now.status.certificate === before.status.certificate && isDeepStrictEqual(now.status.conditions ?? [], before.status.conditions ?? []);
      return same ? undefined : refuseUnlessSigner(request, before.spec.signerName, ask);
    },
  };
}

async function refuseUnlessSigner(request: AdmissionRequest, signerName: string, ask: AskPermission): Promise<void> {
  if (await maySign(ask, request.user, 'sign', signerName)) return;
  throw refusal(request, `user not permitted to sign requests with signerName ${JSON.stringify(signerName)}`);
}

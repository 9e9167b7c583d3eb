// Whom a certificate request is for, as the plugins ask that keep anybody from becoming somebody else by it.
import type { AdmissionRequest } from '#admission/admission.ts';
import { refusal } from '#admission/request-subject.ts';
import { attempt } from '#base/pki/attempt.ts';
import { parseRequestPem } from '#base/pki/certificate-request.ts';
import { commonNameOf, organizationsOf } from '#base/pki/distinguished-name.ts';

export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

/** `bytes` is spec.request: base64 of a PEM text. What cannot be read is refused, beginning with `failed`. */
export function requestedSubject(request: AdmissionRequest, bytes: string | undefined, failed: string): RequestedSubject {
  const { value, problem } = attempt(() => parseRequestPem(Buffer.from(bytes ?? '', 'base64')));
  if (value === undefined) throw refusal(request, `${failed}: ${problem}`);
  return { commonName: commonNameOf(value.subject), organizations: organizationsOf(value.subject) };
}

// Refuses every change; for trying out what clients do then.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { refusal } from '#admission/request-subject.ts';

export const alwaysDeny: AdmissionPlugin = { name: 'AlwaysDeny', mutate: deny, validate: deny };

function deny(request: AdmissionRequest): never {
  throw refusal(request, 'admission control is denying all modifications');
}

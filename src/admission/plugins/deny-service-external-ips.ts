// Nobody takes over an address by naming it in a service.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { only, refusal } from '#admission/request-subject.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';

const services = { group: '', resource: 'services' };

export const denyServiceExternalIPs: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  matches: only(['CREATE', 'UPDATE'], services),
  validate(request) {
    const known = new Set((request.old as unknown as Service | undefined)?.spec.externalIPs);
    const wanted = (request.object as unknown as Service).spec.externalIPs ?? [];
    if (wanted.some((address) => !known.has(address))) throw refusal(request, 'Use of external IPs is denied by admission control');
  },
};

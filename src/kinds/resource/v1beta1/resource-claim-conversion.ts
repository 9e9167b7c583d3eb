// Requests of v1beta1 say what they want directly; since v1beta2 that stands under `exactly`.
import type { ResourceClaim as HubClaim } from '#kinds/resource/v1/resource-claim.ts';
import type { DeviceRequest as HubRequest, ResourceClaimSpec as HubSpec } from '#kinds/resource/v1/resource-claim-spec.ts';
import type { ResourceClaimTemplate as HubTemplate } from '#kinds/resource/v1/resource-claim-template.ts';
import type { ResourceClaim } from '#kinds/resource/v1beta1/resource-claim.ts';
import type { DeviceRequest, ResourceClaimSpec } from '#kinds/resource/v1beta1/resource-claim-spec.ts';
import type { ResourceClaimTemplate } from '#kinds/resource/v1beta1/resource-claim-template.ts';
import type { Conversion } from '#resource/definition.ts';

export const claimConversion: Conversion = {
  toHub: (claim: ResourceClaim) => ({ ...claim, spec: specToHub(claim.spec) }),
  fromHub: (claim: HubClaim) => ({ ...claim, spec: specFromHub(claim.spec) }),
};

export const claimTemplateConversion: Conversion = {
  toHub: (template: ResourceClaimTemplate) => ({ ...template, spec: { ...template.spec, spec: specToHub(template.spec.spec) } }),
  fromHub: (template: HubTemplate) => ({ ...template, spec: { ...template.spec, spec: specFromHub(template.spec.spec) } }),
};

function specToHub(spec: ResourceClaimSpec): HubSpec {
  return { ...spec, devices: { ...spec.devices, requests: spec.devices.requests?.map(requestToHub) } };
}

function specFromHub(spec: HubSpec): ResourceClaimSpec {
  return { ...spec, devices: { ...spec.devices, requests: spec.devices.requests?.map(requestFromHub) } };
}

function requestToHub({ name, firstAvailable, ...wanted }: DeviceRequest): HubRequest {
  const { deviceClassName = '', ...rest } = wanted;
  const says = deviceClassName !== '' || Object.values(rest).some((value) => value !== undefined);
  return { name, firstAvailable, exactly: says ? { ...rest, deviceClassName } : undefined };
}

function requestFromHub({ name, firstAvailable, exactly }: HubRequest): DeviceRequest {
  return { ...exactly, name, firstAvailable, deviceClassName: exactly?.deviceClassName ?? '' };
}

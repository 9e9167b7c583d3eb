import { countName, isWrite, one, type QuotaEvaluator } from '#admission/quota/evaluator.ts';
import { type Amounts, addTo, raiseTo } from '#admission/resource-list.ts';
import { quantityOf } from '#base/quantity.ts';
import type { ResourceClaim } from '#kinds/resource/v1/resource-claim.ts';

const claims = { group: 'resource.k8s.io', resource: 'resourceclaims' };
const perClass = '.deviceclass.resource.k8s.io/devices';
/** «All» could be as many as one claim can hold. */
const mostDevices = 32;

export const deviceEvaluator: QuotaEvaluator = {
  resource: claims,
  handles: isWrite,
  covers: (limit) => limit === countName(claims) || limit.endsWith(perClass),
  usage: (object) => usage(object as unknown as ResourceClaim),
};

interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number | bigint;
}

function usage({ spec }: ResourceClaim): Amounts {
  const used: Amounts = new Map([[countName(claims), one]]);
  for (const { exactly, firstAvailable } of spec.devices?.requests ?? []) {
    if (firstAvailable?.length) addTo(used, largest(firstAvailable as readonly DeviceRequest[]));
    else if (exactly) addTo(used, devices(exactly as DeviceRequest));
  }
  return used;
}

/** Only one of the alternatives will be had. */
function largest(alternatives: readonly DeviceRequest[]): Amounts {
  const most: Amounts = new Map();
  for (const alternative of alternatives) raiseTo(most, devices(alternative));
  return most;
}

function devices({ deviceClassName = '', allocationMode, count = 0 }: DeviceRequest): Amounts {
  return new Map([[deviceClassName + perClass, quantityOf(allocationMode === 'All' ? mostDevices : allocationMode === 'ExactCount' ? count : 0)]]);
}

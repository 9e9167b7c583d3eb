import { defaultDeviceRequest, defaultFlatDeviceRequest } from '#kinds/resource/v1/device-defaults.ts';
import { DeviceRequest, DeviceSubRequest } from '#kinds/resource/v1beta1/resource-claim-spec.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

/** For claims and for templates of claims. */
export const resourceClaimDefaults: Defaults = [defaultsOf(DeviceRequest, defaultFlatDeviceRequest), defaultsOf(DeviceSubRequest, defaultDeviceRequest)];

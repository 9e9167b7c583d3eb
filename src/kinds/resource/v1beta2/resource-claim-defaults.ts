import { defaultDeviceRequest } from '#kinds/resource/v1/device-defaults.ts';
import { DeviceSubRequest, ExactDeviceRequest } from '#kinds/resource/v1beta2/resource-claim-spec.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

/** For claims and for templates of claims. */
export const resourceClaimDefaults: Defaults = [defaultsOf(ExactDeviceRequest, defaultDeviceRequest), defaultsOf(DeviceSubRequest, defaultDeviceRequest)];

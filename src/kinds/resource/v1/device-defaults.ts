// What the server fills in for device requests and devices. Structural types: all versions share these.
import { systemClock } from '#base/clock.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';

interface Request {
  allocationMode?: string | undefined;
  count?: number | undefined;
}

export function defaultDeviceRequest(request: Request): void {
  request.allocationMode ||= 'ExactCount';
  if (request.allocationMode === 'ExactCount') request.count ||= 1;
}

/** In v1beta1 a request without class has alternatives, which are filled in themselves. */
export function defaultFlatDeviceRequest(request: Request & { readonly deviceClassName?: string | undefined }): void {
  if (request.deviceClassName) defaultDeviceRequest(request);
}

export function defaultDevice(device: { nodeAllocatableResourceMappings?: Record<string, { allocationMultiplier?: string | undefined }> | undefined }): void {
  for (const mapping of Object.values(device.nodeAllocatableResourceMappings ?? {})) mapping.allocationMultiplier ??= '1';
}

/** Filled in before anybody asks who owns which field: whoever makes the taint owns the time too. */
export function defaultDeviceTaint(taint: { timeAdded?: string | undefined }): void {
  // Not `??=`: the zero time, which is null, counts as given.
  if (taint.timeAdded === undefined) taint.timeAdded = timestamp(systemClock.now());
}

// What the server fills in for device requests and devices. Structural types: all versions share these.

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

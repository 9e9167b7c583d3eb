// Fields of a claim behind feature gates: dropped while their gate is off, unless the stored claim uses them already.
import type { DeviceRequest, ResourceClaimSpec } from '#kinds/resource/v1/resource-claim-spec.ts';

type Gate = (name: string) => boolean;

export function dropGatedClaimFields({ devices }: ResourceClaimSpec, old: ResourceClaimSpec | undefined, gate: Gate): void {
  const requests = devices.requests ?? [];
  const stored = old?.devices.requests ?? [];
  if (!gate('DRAPrioritizedList') && !stored.some(({ firstAvailable }) => firstAvailable?.length)) {
    for (const request of requests) delete request.firstAvailable;
  }
  if (!gate('DRADeviceTaints') && !partsOf(stored).some(({ tolerations }) => tolerations?.length)) {
    for (const part of partsOf(requests)) delete part.tolerations;
  }
  if (!gate('DRAAdminAccess') && !stored.some(({ exactly }) => exactly?.adminAccess !== undefined)) {
    for (const { exactly } of requests) delete exactly?.adminAccess;
  }
  if (!gate('DRAConsumableCapacity') && !usesConsumableCapacity(old)) {
    for (const constraint of devices.constraints ?? []) delete constraint.distinctAttribute;
    for (const part of partsOf(requests)) delete part.capacity;
  }
}

function partsOf(requests: readonly DeviceRequest[]): Pick<NonNullable<DeviceRequest['exactly']>, 'tolerations' | 'capacity'>[] {
  return requests.flatMap(({ exactly, firstAvailable }) => [...(exactly === undefined ? [] : [exactly]), ...(firstAvailable ?? [])]);
}

function usesConsumableCapacity(spec: ResourceClaimSpec | undefined): boolean {
  if (spec === undefined) return false;
  const { constraints, requests } = spec.devices;
  return (
    (constraints ?? []).some(({ distinctAttribute }) => distinctAttribute !== undefined) ||
    partsOf(requests ?? []).some(({ capacity }) => capacity !== undefined)
  );
}

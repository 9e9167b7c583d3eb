// Fields of a slice behind feature gates: dropped while their gate is off, unless the stored slice uses them already.
import type { Device, DeviceAttribute, ResourceSliceSpec } from '#kinds/resource/v1/resource-slice.ts';

type Gate = (name: string) => boolean;

interface GatedFields {
  readonly gates: readonly string[];
  readonly device: readonly (keyof Device)[];
  readonly spec?: readonly (keyof ResourceSliceSpec)[];
}

const gated: readonly GatedFields[] = [
  { gates: ['DRADeviceTaints'], device: ['taints'] },
  {
    gates: ['DRAPartitionableDevices'],
    device: ['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'],
    spec: ['sharedCounters', 'perDeviceNodeSelection'],
  },
  { gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], device: ['bindingConditions', 'bindingFailureConditions', 'bindsToNode'] },
  { gates: ['DRANodeAllocatableResources'], device: ['nodeAllocatableResourceMappings'] },
];

export function dropGatedSliceFields(spec: ResourceSliceSpec, old: ResourceSliceSpec | undefined, gate: Gate): void {
  for (const fields of gated) {
    if (fields.gates.every(gate) || uses(old, fields)) continue;
    for (const field of fields.spec ?? []) delete (spec as Partial<ResourceSliceSpec>)[field];
    for (const device of spec.devices ?? []) for (const field of fields.device) delete (device as Partial<Device>)[field];
  }
  if (!gate('DRAConsumableCapacity') && !devicesOf(old).some(sharesCapacity)) devicesOf(spec).forEach(dropSharing);
  if (!gate('DRAListTypeAttributes') && !attributesOf(old).some(isList)) attributesOf(spec).forEach(dropLists);
}

function uses(spec: ResourceSliceSpec | undefined, { spec: own = [], device }: GatedFields): boolean {
  if (spec === undefined) return false;
  return own.some((field) => isSet(spec[field])) || devicesOf(spec).some((item) => device.some((field) => isSet(item[field])));
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function devicesOf(spec: ResourceSliceSpec | undefined): readonly Device[] {
  return spec?.devices ?? [];
}

function sharesCapacity({ allowMultipleAllocations, capacity }: Device): boolean {
  return allowMultipleAllocations !== undefined || Object.values(capacity ?? {}).some(({ requestPolicy }) => requestPolicy !== undefined);
}

function dropSharing(device: Device): void {
  delete device.allowMultipleAllocations;
  for (const amount of Object.values(device.capacity ?? {})) delete amount.requestPolicy;
}

function attributesOf(spec: ResourceSliceSpec | undefined): readonly DeviceAttribute[] {
  return devicesOf(spec).flatMap(({ attributes }) => Object.values(attributes ?? {}));
}

const listFields = ['ints', 'bools', 'strings', 'versions'] as const;

function isList(attribute: DeviceAttribute): boolean {
  return listFields.some((field) => attribute[field] !== undefined);
}

function dropLists(attribute: DeviceAttribute): void {
  for (const field of listFields) delete attribute[field];
}

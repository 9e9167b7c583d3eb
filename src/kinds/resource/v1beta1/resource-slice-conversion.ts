// Devices of v1beta1 have everything but their name under `basic`, and two values of the slice are plain where the hub has pointers.
import type { Device as HubDevice, ResourceSlice as HubSlice } from '#kinds/resource/v1/resource-slice.ts';
import type { Device, ResourceSlice } from '#kinds/resource/v1beta1/resource-slice.ts';
import type { Conversion } from '#resource/definition.ts';

export const sliceConversion: Conversion = { toHub, fromHub };

function toHub(slice: ResourceSlice): HubSlice {
  const { nodeName, allNodes, devices, ...same } = slice.spec;
  return {
    ...slice,
    spec: { ...same, nodeName: nodeName || undefined, allNodes: allNodes || undefined, devices: devices?.map(deviceToHub) },
  };
}

function fromHub(slice: HubSlice): ResourceSlice {
  return { ...slice, spec: { ...slice.spec, devices: slice.spec.devices?.map(deviceFromHub) } };
}

function deviceToHub({ name, basic }: Device): HubDevice {
  return { ...basic, name };
}

function deviceFromHub({ name, ...basic }: HubDevice): Device {
  return { name, basic };
}

import { NodeSelector } from '#kinds/core/v1/node-selector.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import {
  boolean,
  embedded,
  type Infer,
  int64,
  list,
  map,
  optional,
  pointer,
  quantity,
  ref,
  required,
  rootStruct,
  string,
  struct,
  time,
} from '#schema/build.ts';

export const ResourceSlice = rootStruct(
  'io.k8s.api.resource.v1.ResourceSlice',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<ResourceSliceSpec>(ResourceSliceSpec)),
  }),
  { gvks: [['resource.k8s.io', 'v1', 'ResourceSlice']] },
);
export interface ResourceSlice extends Infer<typeof ResourceSlice> {}

export const ResourceSliceList = rootStruct(
  'io.k8s.api.resource.v1.ResourceSliceList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ResourceSlice>(ResourceSlice))),
  }),
  { gvks: [['resource.k8s.io', 'v1', 'ResourceSliceList']] },
);
export interface ResourceSliceList extends Infer<typeof ResourceSliceList> {}

export const CapacityRequestPolicy = struct('io.k8s.api.resource.v1.CapacityRequestPolicy', () => ({
  default: pointer(1, quantity, { written: 'always' }),
  validValues: optional(3, list(quantity), { merge: 'atomic' }),
  validRange: pointer(4, ref<CapacityRequestPolicyRange>(CapacityRequestPolicyRange)),
}));
export interface CapacityRequestPolicy extends Infer<typeof CapacityRequestPolicy> {}

export const CapacityRequestPolicyRange = struct('io.k8s.api.resource.v1.CapacityRequestPolicyRange', () => ({
  min: pointer(1, quantity, { mandatory: true }),
  max: pointer(2, quantity),
  step: pointer(3, quantity),
}));
export interface CapacityRequestPolicyRange extends Infer<typeof CapacityRequestPolicyRange> {}

export const Counter = struct('io.k8s.api.resource.v1.Counter', () => ({
  value: required(1, quantity),
}));
export interface Counter extends Infer<typeof Counter> {}

export const CounterSet = struct('io.k8s.api.resource.v1.CounterSet', () => ({
  name: required(1, string),
  counters: required(2, map(ref<Counter>(Counter)), { written: 'nonempty' }),
}));
export interface CounterSet extends Infer<typeof CounterSet> {}

export const Device = struct('io.k8s.api.resource.v1.Device', () => ({
  name: required(1, string),
  attributes: optional(2, map(ref<DeviceAttribute>(DeviceAttribute)), { goType: 'map[v1.QualifiedName]v1.DeviceAttribute' }),
  capacity: optional(3, map(ref<DeviceCapacity>(DeviceCapacity)), { goType: 'map[v1.QualifiedName]v1.DeviceCapacity' }),
  consumesCounters: optional(4, list(ref<DeviceCounterConsumption>(DeviceCounterConsumption)), { merge: 'atomic' }),
  nodeName: pointer(5, string),
  nodeSelector: pointer(6, ref<NodeSelector>(NodeSelector)),
  allNodes: pointer(7, boolean),
  taints: optional(8, list(ref<DeviceTaint>(DeviceTaint)), { merge: 'atomic' }),
  bindsToNode: pointer(9, boolean),
  bindingConditions: optional(10, list(string), { merge: 'atomic' }),
  bindingFailureConditions: optional(11, list(string), { merge: 'atomic' }),
  allowMultipleAllocations: pointer(12, boolean),
  nodeAllocatableResourceMappings: optional(13, map(ref<NodeAllocatableResourceMapping>(NodeAllocatableResourceMapping)), {
    goType: 'map[v1.ResourceName]v1.NodeAllocatableResourceMapping',
  }),
}));
export interface Device extends Infer<typeof Device> {}

export const DeviceAttribute = struct('io.k8s.api.resource.v1.DeviceAttribute', () => ({
  int: pointer(2, int64),
  bool: pointer(3, boolean),
  string: pointer(4, string),
  version: pointer(5, string),
  ints: optional(6, list(int64), { merge: 'atomic' }),
  bools: optional(7, list(boolean), { merge: 'atomic' }),
  strings: optional(8, list(string), { merge: 'atomic' }),
  versions: optional(9, list(string), { merge: 'atomic' }),
}));
export interface DeviceAttribute extends Infer<typeof DeviceAttribute> {}

export const DeviceCapacity = struct('io.k8s.api.resource.v1.DeviceCapacity', () => ({
  value: required(1, quantity),
  requestPolicy: pointer(2, ref<CapacityRequestPolicy>(CapacityRequestPolicy)),
}));
export interface DeviceCapacity extends Infer<typeof DeviceCapacity> {}

export const DeviceCounterConsumption = struct('io.k8s.api.resource.v1.DeviceCounterConsumption', () => ({
  counterSet: required(1, string),
  counters: required(2, map(ref<Counter>(Counter)), { written: 'nonempty' }),
}));
export interface DeviceCounterConsumption extends Infer<typeof DeviceCounterConsumption> {}

export const DeviceTaint = struct('io.k8s.api.resource.v1.DeviceTaint', () => ({
  key: required(1, string),
  value: optional(2, string),
  effect: required(3, string, { enum: ['NoExecute', 'NoSchedule', 'None'], goType: 'v1.DeviceTaintEffect' }),
  timeAdded: pointer(4, time),
}));
export interface DeviceTaint extends Infer<typeof DeviceTaint> {}

export const NodeAllocatableResourceMapping = struct('io.k8s.api.resource.v1.NodeAllocatableResourceMapping', () => ({
  capacityKey: pointer(1, string, { goType: 'v1.QualifiedName' }),
  allocationMultiplier: pointer(2, quantity),
}));
export interface NodeAllocatableResourceMapping extends Infer<typeof NodeAllocatableResourceMapping> {}

export const ResourcePool = struct('io.k8s.api.resource.v1.ResourcePool', () => ({
  name: required(1, string),
  generation: required(2, int64),
  resourceSliceCount: required(3, int64),
}));
export interface ResourcePool extends Infer<typeof ResourcePool> {}

export const ResourceSliceSpec = struct('io.k8s.api.resource.v1.ResourceSliceSpec', () => ({
  driver: required(1, string),
  pool: required(2, ref<ResourcePool>(ResourcePool)),
  nodeName: pointer(3, string),
  nodeSelector: pointer(4, ref<NodeSelector>(NodeSelector)),
  allNodes: pointer(5, boolean),
  devices: optional(6, list(ref<Device>(Device)), { merge: 'atomic' }),
  perDeviceNodeSelection: pointer(7, boolean),
  sharedCounters: optional(8, list(ref<CounterSet>(CounterSet)), { merge: 'atomic' }),
}));
export interface ResourceSliceSpec extends Infer<typeof ResourceSliceSpec> {}

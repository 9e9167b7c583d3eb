import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import {
  boolean,
  embedded,
  type Infer,
  int32,
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

export const Node = rootStruct(
  'io.k8s.api.core.v1.Node',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<NodeSpec>(NodeSpec)),
    status: embedded(3, ref<NodeStatus>(NodeStatus)),
  }),
  { gvks: [['', 'v1', 'Node']] },
);
export interface Node extends Infer<typeof Node> {}

export const NodeList = rootStruct(
  'io.k8s.api.core.v1.NodeList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Node>(Node))),
  }),
  { gvks: [['', 'v1', 'NodeList']] },
);
export interface NodeList extends Infer<typeof NodeList> {}

export const AttachedVolume = struct('io.k8s.api.core.v1.AttachedVolume', () => ({
  name: required(1, string, { goType: 'v1.UniqueVolumeName' }),
  devicePath: required(2, string),
}));
export interface AttachedVolume extends Infer<typeof AttachedVolume> {}

export const ConfigMapNodeConfigSource = struct('io.k8s.api.core.v1.ConfigMapNodeConfigSource', () => ({
  namespace: required(1, string),
  name: required(2, string),
  uid: optional(3, string, { goType: 'types.UID' }),
  resourceVersion: optional(4, string),
  kubeletConfigKey: required(5, string),
}));
export interface ConfigMapNodeConfigSource extends Infer<typeof ConfigMapNodeConfigSource> {}

export const ContainerImage = struct('io.k8s.api.core.v1.ContainerImage', () => ({
  names: optional(1, list(string), { written: 'always', merge: 'atomic' }),
  sizeBytes: optional(2, int64),
}));
export interface ContainerImage extends Infer<typeof ContainerImage> {}

export const DaemonEndpoint = struct('io.k8s.api.core.v1.DaemonEndpoint', () => ({
  Port: required(1, int32),
}));
export interface DaemonEndpoint extends Infer<typeof DaemonEndpoint> {}

export const NodeSpec = struct('io.k8s.api.core.v1.NodeSpec', () => ({
  podCIDR: optional(1, string),
  podCIDRs: optional(7, list(string), { merge: 'set', patch: { strategy: 'merge' } }),
  providerID: optional(3, string),
  unschedulable: optional(4, boolean),
  taints: optional(5, list(ref<Taint>(Taint)), { merge: 'atomic' }),
  configSource: pointer(6, ref<NodeConfigSource>(NodeConfigSource)),
  externalID: optional(2, string),
}));
export interface NodeSpec extends Infer<typeof NodeSpec> {}

export const Taint = struct('io.k8s.api.core.v1.Taint', () => ({
  key: required(1, string),
  value: optional(2, string),
  effect: required(3, string, { enum: ['NoExecute', 'NoSchedule', 'PreferNoSchedule'], goType: 'v1.TaintEffect' }),
  timeAdded: pointer(4, time),
}));
export interface Taint extends Infer<typeof Taint> {}

export const NodeConfigSource = struct('io.k8s.api.core.v1.NodeConfigSource', () => ({
  configMap: pointer(2, ref<ConfigMapNodeConfigSource>(ConfigMapNodeConfigSource)),
}));
export interface NodeConfigSource extends Infer<typeof NodeConfigSource> {}

export const NodeStatus = struct('io.k8s.api.core.v1.NodeStatus', () => ({
  capacity: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
  allocatable: optional(2, map(quantity), { goType: 'v1.ResourceList' }),
  phase: optional(3, string, { enum: ['Pending', 'Running', 'Terminated'], goType: 'v1.NodePhase' }),
  conditions: optional(4, list(ref<NodeCondition>(NodeCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  addresses: optional(5, list(ref<NodeAddress>(NodeAddress)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
  daemonEndpoints: embedded(6, ref<NodeDaemonEndpoints>(NodeDaemonEndpoints)),
  nodeInfo: embedded(7, ref<NodeSystemInfo>(NodeSystemInfo)),
  images: optional(8, list(ref<ContainerImage>(ContainerImage)), { merge: 'atomic' }),
  volumesInUse: optional(9, list(string), { merge: 'atomic', goType: '[]v1.UniqueVolumeName' }),
  volumesAttached: optional(10, list(ref<AttachedVolume>(AttachedVolume)), { merge: 'atomic' }),
  config: pointer(11, ref<NodeConfigStatus>(NodeConfigStatus)),
  runtimeHandlers: optional(12, list(ref<NodeRuntimeHandler>(NodeRuntimeHandler)), { merge: 'atomic' }),
  features: pointer(13, ref<NodeFeatures>(NodeFeatures)),
  declaredFeatures: optional(14, list(string), { merge: 'atomic' }),
}));
export interface NodeStatus extends Infer<typeof NodeStatus> {}

export const NodeCondition = struct('io.k8s.api.core.v1.NodeCondition', () => ({
  type: required(1, string, { goType: 'v1.NodeConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastHeartbeatTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
}));
export interface NodeCondition extends Infer<typeof NodeCondition> {}

export const NodeAddress = struct('io.k8s.api.core.v1.NodeAddress', () => ({
  type: required(1, string, { goType: 'v1.NodeAddressType' }),
  address: required(2, string),
}));
export interface NodeAddress extends Infer<typeof NodeAddress> {}

export const NodeDaemonEndpoints = struct('io.k8s.api.core.v1.NodeDaemonEndpoints', () => ({
  kubeletEndpoint: embedded(1, ref<DaemonEndpoint>(DaemonEndpoint)),
}));
export interface NodeDaemonEndpoints extends Infer<typeof NodeDaemonEndpoints> {}

export const NodeSystemInfo = struct('io.k8s.api.core.v1.NodeSystemInfo', () => ({
  machineID: required(1, string),
  systemUUID: required(2, string),
  bootID: required(3, string),
  kernelVersion: required(4, string),
  osImage: required(5, string),
  containerRuntimeVersion: required(6, string),
  kubeletVersion: required(7, string),
  kubeProxyVersion: required(8, string),
  operatingSystem: required(9, string),
  architecture: required(10, string),
  swap: pointer(11, ref<NodeSwapStatus>(NodeSwapStatus)),
}));
export interface NodeSystemInfo extends Infer<typeof NodeSystemInfo> {}

export const NodeSwapStatus = struct('io.k8s.api.core.v1.NodeSwapStatus', () => ({
  capacity: pointer(1, int64),
}));
export interface NodeSwapStatus extends Infer<typeof NodeSwapStatus> {}

export const NodeConfigStatus = struct('io.k8s.api.core.v1.NodeConfigStatus', () => ({
  assigned: pointer(1, ref<NodeConfigSource>(NodeConfigSource)),
  active: pointer(2, ref<NodeConfigSource>(NodeConfigSource)),
  lastKnownGood: pointer(3, ref<NodeConfigSource>(NodeConfigSource)),
  error: optional(4, string),
}));
export interface NodeConfigStatus extends Infer<typeof NodeConfigStatus> {}

export const NodeRuntimeHandler = struct('io.k8s.api.core.v1.NodeRuntimeHandler', () => ({
  name: optional(1, string, { written: 'always' }),
  features: pointer(2, ref<NodeRuntimeHandlerFeatures>(NodeRuntimeHandlerFeatures)),
}));
export interface NodeRuntimeHandler extends Infer<typeof NodeRuntimeHandler> {}

export const NodeRuntimeHandlerFeatures = struct('io.k8s.api.core.v1.NodeRuntimeHandlerFeatures', () => ({
  recursiveReadOnlyMounts: pointer(1, boolean),
  userNamespaces: pointer(2, boolean),
}));
export interface NodeRuntimeHandlerFeatures extends Infer<typeof NodeRuntimeHandlerFeatures> {}

export const NodeFeatures = struct('io.k8s.api.core.v1.NodeFeatures', () => ({
  supplementalGroupsPolicy: pointer(1, boolean),
}));
export interface NodeFeatures extends Infer<typeof NodeFeatures> {}

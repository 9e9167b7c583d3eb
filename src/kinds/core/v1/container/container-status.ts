import { ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { linuxSignals } from '#kinds/core/v1/container/signals.ts';
import { boolean, embedded, type Infer, int32, int64, list, map, optional, pointer, quantity, ref, required, string, struct, time } from '#schema/build.ts';

export const ContainerStatus = struct('io.k8s.api.core.v1.ContainerStatus', () => ({
  name: required(1, string),
  state: embedded(2, ref<ContainerState>(ContainerState)),
  lastState: embedded(3, ref<ContainerState>(ContainerState)),
  ready: required(4, boolean),
  restartCount: required(5, int32),
  image: required(6, string),
  imageID: required(7, string),
  containerID: optional(8, string),
  started: pointer(9, boolean),
  allocatedResources: optional(10, map(quantity), { goType: 'v1.ResourceList' }),
  resources: pointer(11, ref<ResourceRequirements>(ResourceRequirements)),
  volumeMounts: optional(12, list(ref<VolumeMountStatus>(VolumeMountStatus)), {
    merge: { keys: ['mountPath'] },
    patch: { strategy: 'merge', key: 'mountPath' },
  }),
  user: pointer(13, ref<ContainerUser>(ContainerUser)),
  allocatedResourcesStatus: optional(14, list(ref<ResourceStatus>(ResourceStatus)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  stopSignal: pointer(15, string, {
    enum: linuxSignals,
    goType: 'v1.Signal',
  }),
}));
export interface ContainerStatus extends Infer<typeof ContainerStatus> {}

export const ContainerState = struct('io.k8s.api.core.v1.ContainerState', () => ({
  waiting: pointer(1, ref<ContainerStateWaiting>(ContainerStateWaiting)),
  running: pointer(2, ref<ContainerStateRunning>(ContainerStateRunning)),
  terminated: pointer(3, ref<ContainerStateTerminated>(ContainerStateTerminated)),
}));
export interface ContainerState extends Infer<typeof ContainerState> {}

export const ContainerStateWaiting = struct('io.k8s.api.core.v1.ContainerStateWaiting', () => ({
  reason: optional(1, string),
  message: optional(2, string),
}));
export interface ContainerStateWaiting extends Infer<typeof ContainerStateWaiting> {}

export const ContainerStateRunning = struct('io.k8s.api.core.v1.ContainerStateRunning', () => ({
  startedAt: optional(1, time),
}));
export interface ContainerStateRunning extends Infer<typeof ContainerStateRunning> {}

export const ContainerStateTerminated = struct('io.k8s.api.core.v1.ContainerStateTerminated', () => ({
  exitCode: required(1, int32),
  signal: optional(2, int32),
  reason: optional(3, string),
  message: optional(4, string),
  startedAt: optional(5, time),
  finishedAt: optional(6, time),
  containerID: optional(7, string),
}));
export interface ContainerStateTerminated extends Infer<typeof ContainerStateTerminated> {}

export const VolumeMountStatus = struct('io.k8s.api.core.v1.VolumeMountStatus', () => ({
  name: required(1, string),
  mountPath: required(2, string),
  readOnly: optional(3, boolean),
  recursiveReadOnly: pointer(4, string, { goType: 'v1.RecursiveReadOnlyMode' }),
  volumeStatus: pointer(5, ref<VolumeStatus>(VolumeStatus)),
}));
export interface VolumeMountStatus extends Infer<typeof VolumeMountStatus> {}

export const VolumeStatus = struct('io.k8s.api.core.v1.VolumeStatus', () => ({
  image: pointer(1, ref<ImageVolumeStatus>(ImageVolumeStatus)),
}));
export interface VolumeStatus extends Infer<typeof VolumeStatus> {}

export const ImageVolumeStatus = struct('io.k8s.api.core.v1.ImageVolumeStatus', () => ({
  imageRef: required(1, string, { written: 'nonempty' }),
}));
export interface ImageVolumeStatus extends Infer<typeof ImageVolumeStatus> {}

export const ContainerUser = struct('io.k8s.api.core.v1.ContainerUser', () => ({
  linux: pointer(1, ref<LinuxContainerUser>(LinuxContainerUser)),
}));
export interface ContainerUser extends Infer<typeof ContainerUser> {}

export const LinuxContainerUser = struct('io.k8s.api.core.v1.LinuxContainerUser', () => ({
  uid: required(1, int64),
  gid: required(2, int64),
  supplementalGroups: optional(3, list(int64), { merge: 'atomic' }),
}));
export interface LinuxContainerUser extends Infer<typeof LinuxContainerUser> {}

export const ResourceStatus = struct('io.k8s.api.core.v1.ResourceStatus', () => ({
  name: required(1, string, { goType: 'v1.ResourceName' }),
  resources: optional(2, list(ref<ResourceHealth>(ResourceHealth)), { merge: { keys: ['resourceID'] } }),
}));
export interface ResourceStatus extends Infer<typeof ResourceStatus> {}

export const ResourceHealth = struct('io.k8s.api.core.v1.ResourceHealth', () => ({
  resourceID: required(1, string, { goType: 'v1.ResourceID' }),
  health: optional(2, string, { goType: 'v1.ResourceHealthStatus' }),
  message: pointer(6, string),
}));
export interface ResourceHealth extends Infer<typeof ResourceHealth> {}

// Fields behind feature gates: dropped while the gate is off, unless the stored object uses them already.
import { isSidecar, someContainer } from '#kinds/core/v1/pod/pod-containers.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerStatus } from '#kinds/core/v1/container/container-status.ts';
import type { Gate } from '#kinds/core/v1/pod/pod-rules.ts';
import { usesRestartRules } from '#kinds/core/v1/pod/rules-for-pod.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import type { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import type { VolumeProjection } from '#kinds/core/v1/volume/volume.ts';

interface GatedField {
  readonly gate: string;
  readonly inUse: (spec: PodSpec) => boolean;
  readonly drop: (spec: PodSpec) => void;
}

const gatedFields: readonly GatedField[] = [
  { gate: 'PodLevelResources', inUse: ({ resources }) => hasEntries(resources), drop: (spec) => dropField(spec, 'resources') },
  { gate: 'HostnameOverride', inUse: ({ hostnameOverride }) => hostnameOverride !== undefined, drop: (spec) => dropField(spec, 'hostnameOverride') },
  { gate: 'GenericWorkload', inUse: ({ schedulingGroup }) => schedulingGroup !== undefined, drop: (spec) => dropField(spec, 'schedulingGroup') },
  {
    gate: 'MatchLabelKeysInPodTopologySpread',
    inUse: ({ topologySpreadConstraints = [] }) => topologySpreadConstraints.some(({ matchLabelKeys }) => matchLabelKeys?.length),
    drop: ({ topologySpreadConstraints = [] }) => topologySpreadConstraints.forEach((constraint) => dropField(constraint, 'matchLabelKeys')),
  },
  {
    gate: 'ClusterTrustBundleProjection',
    inUse: (spec) => projections(spec).some(({ clusterTrustBundle }) => clusterTrustBundle !== undefined),
    drop: (spec) => forEachProjection(spec, (source) => dropField(source, 'clusterTrustBundle')),
  },
  {
    gate: 'PodCertificateRequest',
    inUse: (spec) => projections(spec).some(({ podCertificate }) => podCertificate !== undefined),
    drop: (spec) => forEachProjection(spec, (source) => dropField(source, 'podCertificate')),
  },
  { gate: 'ContainerRestartRules', inUse: usesRestartRules, drop: dropRestartRules },
  { gate: 'EnvFiles', inUse: (spec) => someContainer(spec, usesFileKey), drop: (spec) => allContainers(spec).forEach(dropFileKeys) },
  {
    gate: 'ContainerStopSignals',
    inUse: (spec) => someContainer(spec, ({ lifecycle }) => lifecycle?.stopSignal !== undefined),
    drop: (spec) => allContainers(spec).forEach(dropStopSignal),
  },
];

export function dropGatedFields(spec: PodSpec, old: PodSpec | undefined, gate: Gate): void {
  for (const field of gatedFields) if (!gate(field.gate) && !(old !== undefined && field.inUse(old))) field.drop(spec);
}

function hasEntries(resources: PodSpec['resources']): boolean {
  return Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
}

function projections({ volumes = [] }: PodSpec): VolumeProjection[] {
  return volumes.flatMap(({ projected }) => projected?.sources ?? []);
}

function forEachProjection({ volumes = [] }: PodSpec, visit: (source: VolumeProjection) => void): void {
  for (const { projected } of volumes) projected?.sources?.forEach(visit);
}

/** Hardly anybody has set it, and `delete` is slow even where there is nothing to delete. */
function dropField<T, K extends keyof T>(object: T, field: K): void {
  if (object[field] !== undefined) delete object[field];
}

function allContainers({ initContainers = [], containers = [], ephemeralContainers = [] }: PodSpec): Container[] {
  return [...initContainers, ...containers, ...ephemeralContainers];
}

function dropRestartRules(spec: PodSpec): void {
  for (const container of allContainers(spec)) {
    dropField(container, 'restartPolicyRules');
    if (!(isSidecar(container) && spec.initContainers?.includes(container))) dropField(container, 'restartPolicy');
  }
}

function usesFileKey({ env = [] }: Container): boolean {
  return env.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined);
}

function dropFileKeys({ env = [] }: Container): void {
  for (const { valueFrom } of env) if (valueFrom !== undefined) dropField(valueFrom, 'fileKeyRef');
}

function dropStopSignal(container: Container): void {
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.values(container.lifecycle).every((hook) => hook === undefined)) delete container.lifecycle;
}

interface GatedStatus {
  readonly gate: string;
  readonly inUse: (status: PodStatus) => boolean;
  readonly drop: (status: PodStatus) => void;
}

const gatedStatuses: readonly GatedStatus[] = [
  {
    gate: 'InPlacePodLevelResourcesVerticalScaling',
    inUse: ({ resources, allocatedResources }) => resources !== undefined || allocatedResources !== undefined,
    drop: (status) => {
      delete status.resources;
      delete status.allocatedResources;
    },
  },
  {
    gate: 'DRAExtendedResource',
    inUse: ({ extendedResourceClaimStatus }) => extendedResourceClaimStatus !== undefined,
    drop: (status) => delete status.extendedResourceClaimStatus,
  },
  {
    gate: 'ResourceHealthStatus',
    inUse: (status) => containerStatuses(status).some(({ allocatedResourcesStatus }) => allocatedResourcesStatus?.length),
    drop: (status) => containerStatuses(status).forEach((one) => delete one.allocatedResourcesStatus),
  },
  {
    gate: 'ResourceHealthStatusMessage',
    inUse: (status) => healths(status).some(({ message }) => message !== undefined),
    drop: (status) => healths(status).forEach((health) => delete health.message),
  },
  {
    gate: 'ImageVolumeWithDigest',
    inUse: (status) => mounts(status).some(({ volumeStatus }) => volumeStatus !== undefined),
    drop: (status) => mounts(status).forEach((mount) => delete mount.volumeStatus),
  },
  {
    gate: 'DRANodeAllocatableResources',
    inUse: ({ nodeAllocatableResourceClaimStatuses }) => Boolean(nodeAllocatableResourceClaimStatuses?.length),
    drop: (status) => delete status.nodeAllocatableResourceClaimStatuses,
  },
];

export function dropGatedStatus(status: PodStatus, old: PodStatus, gate: Gate): void {
  for (const field of gatedStatuses) if (!gate(field.gate) && !field.inUse(old)) field.drop(status);
}

function containerStatuses({ containerStatuses: regular = [], initContainerStatuses = [], ephemeralContainerStatuses = [] }: PodStatus): ContainerStatus[] {
  return [...regular, ...initContainerStatuses, ...ephemeralContainerStatuses];
}

function healths(status: PodStatus) {
  return containerStatuses(status).flatMap(({ allocatedResourcesStatus = [] }) => allocatedResourcesStatus.flatMap(({ resources = [] }) => resources));
}

function mounts(status: PodStatus) {
  return containerStatuses(status).flatMap(({ volumeMounts = [] }) => volumeMounts);
}

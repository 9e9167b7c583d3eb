import { Affinity } from '#kinds/core/v1/container/affinity.ts';
import { Container } from '#kinds/core/v1/container/container.ts';
import { EphemeralContainer } from '#kinds/core/v1/container/ephemeral-container.ts';
import { PodSecurityContext } from '#kinds/core/v1/pod/pod-security-context.ts';
import { LocalObjectReference } from '#kinds/core/v1/references.ts';
import { ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { Toleration } from '#kinds/core/v1/container/toleration.ts';
import { TopologySpreadConstraint } from '#kinds/core/v1/container/topology-spread-constraint.ts';
import { Volume } from '#kinds/core/v1/volume/volume.ts';
import { boolean, type Infer, int32, int64, list, map, optional, pointer, quantity, ref, required, string, struct } from '#schema/build.ts';

export const PodSpec = struct('io.k8s.api.core.v1.PodSpec', () => ({
  volumes: optional(1, list(ref<Volume>(Volume)), { merge: { keys: ['name'] }, patch: { strategy: 'merge,retainKeys', key: 'name' } }),
  initContainers: optional(20, list(ref<Container>(Container)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  containers: required(2, list(ref<Container>(Container)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  ephemeralContainers: optional(34, list(ref<EphemeralContainer>(EphemeralContainer)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge', key: 'name' },
  }),
  restartPolicy: optional(3, string, { enum: ['Always', 'Never', 'OnFailure'], goType: 'v1.RestartPolicy' }),
  terminationGracePeriodSeconds: pointer(4, int64),
  activeDeadlineSeconds: pointer(5, int64),
  dnsPolicy: optional(6, string, { enum: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], goType: 'v1.DNSPolicy' }),
  nodeSelector: optional(7, map(string), { atomic: true }),
  serviceAccountName: optional(8, string),
  serviceAccount: optional(9, string),
  automountServiceAccountToken: pointer(21, boolean),
  nodeName: optional(10, string),
  hostNetwork: optional(11, boolean),
  hostPID: optional(12, boolean),
  hostIPC: optional(13, boolean),
  shareProcessNamespace: pointer(27, boolean),
  securityContext: pointer(14, ref<PodSecurityContext>(PodSecurityContext)),
  imagePullSecrets: optional(15, list(ref<LocalObjectReference>(LocalObjectReference)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge', key: 'name' },
  }),
  hostname: optional(16, string),
  subdomain: optional(17, string),
  affinity: pointer(18, ref<Affinity>(Affinity)),
  schedulerName: optional(19, string),
  tolerations: optional(22, list(ref<Toleration>(Toleration)), { merge: 'atomic' }),
  hostAliases: optional(23, list(ref<HostAlias>(HostAlias)), { merge: { keys: ['ip'] }, patch: { strategy: 'merge', key: 'ip' } }),
  priorityClassName: optional(24, string),
  priority: pointer(25, int32),
  dnsConfig: pointer(26, ref<PodDNSConfig>(PodDNSConfig)),
  readinessGates: optional(28, list(ref<PodReadinessGate>(PodReadinessGate)), { merge: 'atomic' }),
  runtimeClassName: pointer(29, string),
  enableServiceLinks: pointer(30, boolean),
  preemptionPolicy: pointer(31, string, { enum: ['Never', 'PreemptLowerPriority'], goType: 'v1.PreemptionPolicy' }),
  overhead: optional(32, map(quantity), { goType: 'v1.ResourceList' }),
  topologySpreadConstraints: optional(33, list(ref<TopologySpreadConstraint>(TopologySpreadConstraint)), {
    merge: { keys: ['topologyKey', 'whenUnsatisfiable'] },
    patch: { strategy: 'merge', key: 'topologyKey' },
  }),
  setHostnameAsFQDN: pointer(35, boolean),
  os: pointer(36, ref<PodOS>(PodOS)),
  hostUsers: pointer(37, boolean),
  schedulingGates: optional(38, list(ref<PodSchedulingGate>(PodSchedulingGate)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  resourceClaims: optional(39, list(ref<PodResourceClaim>(PodResourceClaim)), {
    merge: { keys: ['name'] },
    patch: { strategy: 'merge,retainKeys', key: 'name' },
  }),
  resources: pointer(40, ref<ResourceRequirements>(ResourceRequirements)),
  hostnameOverride: pointer(41, string),
  schedulingGroup: pointer(43, ref<PodSchedulingGroup>(PodSchedulingGroup)),
}));
export interface PodSpec extends Infer<typeof PodSpec> {}

export const HostAlias = struct('io.k8s.api.core.v1.HostAlias', () => ({
  ip: required(1, string),
  hostnames: optional(2, list(string), { merge: 'atomic' }),
}));
export interface HostAlias extends Infer<typeof HostAlias> {}

export const PodDNSConfig = struct('io.k8s.api.core.v1.PodDNSConfig', () => ({
  nameservers: optional(1, list(string), { merge: 'atomic' }),
  searches: optional(2, list(string), { merge: 'atomic' }),
  options: optional(3, list(ref<PodDNSConfigOption>(PodDNSConfigOption)), { merge: 'atomic' }),
}));
export interface PodDNSConfig extends Infer<typeof PodDNSConfig> {}

export const PodDNSConfigOption = struct('io.k8s.api.core.v1.PodDNSConfigOption', () => ({
  name: optional(1, string),
  value: pointer(2, string),
}));
export interface PodDNSConfigOption extends Infer<typeof PodDNSConfigOption> {}

export const PodReadinessGate = struct('io.k8s.api.core.v1.PodReadinessGate', () => ({
  conditionType: required(1, string, { goType: 'v1.PodConditionType' }),
}));
export interface PodReadinessGate extends Infer<typeof PodReadinessGate> {}

export const PodOS = struct('io.k8s.api.core.v1.PodOS', () => ({
  name: required(1, string, { goType: 'v1.OSName' }),
}));
export interface PodOS extends Infer<typeof PodOS> {}

export const PodSchedulingGate = struct('io.k8s.api.core.v1.PodSchedulingGate', () => ({
  name: required(1, string),
}));
export interface PodSchedulingGate extends Infer<typeof PodSchedulingGate> {}

export const PodResourceClaim = struct('io.k8s.api.core.v1.PodResourceClaim', () => ({
  name: required(1, string),
  resourceClaimName: pointer(3, string),
  resourceClaimTemplateName: pointer(4, string),
}));
export interface PodResourceClaim extends Infer<typeof PodResourceClaim> {}

export const PodSchedulingGroup = struct(
  'io.k8s.api.core.v1.PodSchedulingGroup',
  () => ({
    podGroupName: pointer(1, string),
  }),
  { unions: [{ 'fields-to-discriminateBy': { podGroupName: 'PodGroupName' } }] },
);
export interface PodSchedulingGroup extends Infer<typeof PodSchedulingGroup> {}

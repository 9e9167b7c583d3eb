import { EnvFromSource, EnvVar } from '#kinds/core/v1/container/env-var.ts';
import { Lifecycle } from '#kinds/core/v1/container/lifecycle.ts';
import { Probe } from '#kinds/core/v1/container/probe.ts';
import { ResourceRequirements } from '#kinds/core/v1/container/resource-requirements.ts';
import { SecurityContext } from '#kinds/core/v1/container/security-context.ts';
import { boolean, embedded, type Infer, int32, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

/** What containers of every sort have; ephemeral ones through a type of their own. */
export const containerFields = () => ({
  name: required(1, string),
  image: optional(2, string),
  command: optional(3, list(string), { merge: 'atomic' }),
  args: optional(4, list(string), { merge: 'atomic' }),
  workingDir: optional(5, string),
  ports: optional(6, list(ref<ContainerPort>(ContainerPort)), {
    merge: { keys: ['containerPort', 'protocol'] },
    patch: { strategy: 'merge', key: 'containerPort' },
  }),
  envFrom: optional(19, list(ref<EnvFromSource>(EnvFromSource)), { merge: 'atomic' }),
  env: optional(7, list(ref<EnvVar>(EnvVar)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  resources: embedded(8, ref<ResourceRequirements>(ResourceRequirements)),
  resizePolicy: optional(23, list(ref<ContainerResizePolicy>(ContainerResizePolicy)), { merge: 'atomic' }),
  restartPolicy: pointer(24, string, { goType: 'v1.ContainerRestartPolicy' }),
  restartPolicyRules: optional(25, list(ref<ContainerRestartRule>(ContainerRestartRule)), { merge: 'atomic' }),
  volumeMounts: optional(9, list(ref<VolumeMount>(VolumeMount)), { merge: { keys: ['mountPath'] }, patch: { strategy: 'merge', key: 'mountPath' } }),
  volumeDevices: optional(21, list(ref<VolumeDevice>(VolumeDevice)), { merge: { keys: ['devicePath'] }, patch: { strategy: 'merge', key: 'devicePath' } }),
  livenessProbe: pointer(10, ref<Probe>(Probe)),
  readinessProbe: pointer(11, ref<Probe>(Probe)),
  startupProbe: pointer(22, ref<Probe>(Probe)),
  lifecycle: pointer(12, ref<Lifecycle>(Lifecycle)),
  terminationMessagePath: optional(13, string),
  terminationMessagePolicy: optional(20, string, { enum: ['FallbackToLogsOnError', 'File'], goType: 'v1.TerminationMessagePolicy' }),
  imagePullPolicy: optional(14, string, { enum: ['Always', 'IfNotPresent', 'Never'], goType: 'v1.PullPolicy' }),
  securityContext: pointer(15, ref<SecurityContext>(SecurityContext)),
  stdin: optional(16, boolean),
  stdinOnce: optional(17, boolean),
  tty: optional(18, boolean),
});

export const Container = struct('io.k8s.api.core.v1.Container', containerFields);
export interface Container extends Infer<typeof Container> {}

export const ContainerPort = struct('io.k8s.api.core.v1.ContainerPort', () => ({
  name: optional(1, string),
  hostPort: optional(2, int32),
  containerPort: required(3, int32),
  protocol: optional(4, string, { default: 'TCP', enum: ['SCTP', 'TCP', 'UDP'], goType: 'v1.Protocol' }),
  hostIP: optional(5, string),
}));
export interface ContainerPort extends Infer<typeof ContainerPort> {}

export const ContainerResizePolicy = struct('io.k8s.api.core.v1.ContainerResizePolicy', () => ({
  resourceName: required(1, string, { goType: 'v1.ResourceName' }),
  restartPolicy: required(2, string, { goType: 'v1.ResourceResizeRestartPolicy' }),
}));
export interface ContainerResizePolicy extends Infer<typeof ContainerResizePolicy> {}

export const ContainerRestartRule = struct('io.k8s.api.core.v1.ContainerRestartRule', () => ({
  action: required(1, string, { written: 'nonempty', goType: 'v1.ContainerRestartRuleAction' }),
  exitCodes: pointer(2, ref<ContainerRestartRuleOnExitCodes>(ContainerRestartRuleOnExitCodes)),
}));
export interface ContainerRestartRule extends Infer<typeof ContainerRestartRule> {}

export const ContainerRestartRuleOnExitCodes = struct('io.k8s.api.core.v1.ContainerRestartRuleOnExitCodes', () => ({
  operator: required(1, string, { written: 'nonempty', goType: 'v1.ContainerRestartRuleOnExitCodesOperator' }),
  values: optional(2, list(int32), { merge: 'set' }),
}));
export interface ContainerRestartRuleOnExitCodes extends Infer<typeof ContainerRestartRuleOnExitCodes> {}

export const VolumeMount = struct('io.k8s.api.core.v1.VolumeMount', () => ({
  name: required(1, string),
  readOnly: optional(2, boolean),
  recursiveReadOnly: pointer(7, string, { goType: 'v1.RecursiveReadOnlyMode' }),
  mountPath: required(3, string),
  subPath: optional(4, string),
  mountPropagation: pointer(5, string, { enum: ['Bidirectional', 'HostToContainer', 'None'], goType: 'v1.MountPropagationMode' }),
  subPathExpr: optional(6, string),
}));
export interface VolumeMount extends Infer<typeof VolumeMount> {}

export const VolumeDevice = struct('io.k8s.api.core.v1.VolumeDevice', () => ({
  name: required(1, string),
  devicePath: required(2, string),
}));
export interface VolumeDevice extends Infer<typeof VolumeDevice> {}

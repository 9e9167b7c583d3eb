import { defaultContainer } from '#kinds/core/v1/pod-defaults.ts';
import { ContainerPort, ContainerResizePolicy, ContainerRestartRule, VolumeDevice, VolumeMount } from '#kinds/core/v1/container.ts';
import { EnvFromSource, EnvVar } from '#kinds/core/v1/env-var.ts';
import { Lifecycle } from '#kinds/core/v1/lifecycle.ts';
import { Probe } from '#kinds/core/v1/probe.ts';
import { ResourceRequirements } from '#kinds/core/v1/resource-requirements.ts';
import { SecurityContext } from '#kinds/core/v1/security-context.ts';
import { boolean, embedded, type Infer, inline, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const EphemeralContainer = struct(
  'io.k8s.api.core.v1.EphemeralContainer',
  () => ({
    ...inline(1, 'ephemeralContainerCommon', EphemeralContainerCommon),
    targetContainerName: optional(2, string),
  }),
  { defaults: defaultContainer },
);
export interface EphemeralContainer extends Infer<typeof EphemeralContainer> {}

export const EphemeralContainerCommon = struct(
  'io.k8s.api.core.v1.EphemeralContainerCommon',
  () => ({
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
  }),
  { unpublished: true },
);
export interface EphemeralContainerCommon extends Infer<typeof EphemeralContainerCommon> {}

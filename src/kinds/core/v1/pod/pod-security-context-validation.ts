// The rules of a pod's security context, and of what only one operating system knows.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, idProblems } from '#base/formats.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { PodSecurityContext } from '#kinds/core/v1/pod/pod-security-context.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { validateAppArmorProfile, validateSeccompProfile, validateWindowsOptions } from '#kinds/core/v1/container/security-context-validation.ts';
import { forEachContainer } from '#kinds/core/v1/pod/pod-containers.ts';

export function validatePodSecurityContext(spec: PodSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  const { securityContext: context } = spec;
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    errors.invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  if (context === undefined) return;
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) {
    const id = context[field];
    if (id !== undefined) errors.invalidEach(`${path}.${field}`, id, idProblems(id));
  }
  context.supplementalGroups?.forEach((group, index) => errors.invalidEach(`${path}.supplementalGroups[${index}]`, group, idProblems(group)));
  if (context.sysctls !== undefined) validateSysctls(spec, context, `${path}.sysctls`, errors, rules);
  validateOptionalChoice(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`, errors);
  validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`, errors);
  validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`, errors);
  validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`, errors);
  validateOptionalChoice(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`, errors);
  const seLinuxPolicies = rules.onlyRecursiveSeLinux ? ['Recursive'] : ['MountOption', 'Recursive'];
  validateOptionalChoice(context.seLinuxChangePolicy, seLinuxPolicies, `${path}.seLinuxChangePolicy`, errors);
}

function validateOptionalChoice(value: string | undefined, supported: readonly string[], path: string, errors: FieldErrors): void {
  if (value !== undefined && !supported.includes(value)) errors.notSupported(path, value, supported);
}

const sysctlSegment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const sysctlPattern = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

function validateSysctls(spec: PodSpec, { sysctls = [] }: PodSecurityContext, path: string, errors: FieldErrors, rules: PodRules): void {
  const names = new Set<string>();
  sysctls.forEach(({ name }, index) => {
    const at = `${path}[${index}].name`;
    if (name === '') errors.required(at);
    else if (byteLength(name) > 253 || !sysctlPattern.test(name)) {
      errors.invalid(at, name, `must have at most 253 characters and match regex ^(${sysctlSegment}[\\./])*${sysctlSegment}$`);
    } else if (names.has(name)) errors.duplicate(at, name);
    const problem = rules.anyHostSysctl ? undefined : hostSysctlProblem(name, spec);
    if (problem !== undefined) errors.invalid(at, name, problem);
    names.add(name);
  });
}

const ipcSysctls = new Set([
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
]);

/** A sysctl of a namespace that the pod shares with its host would change the host. */
export function hostSysctlProblem(name: string, { hostNetwork, hostIPC }: Pick<PodSpec, 'hostNetwork' | 'hostIPC'>): string | undefined {
  const star = normalizedSysctl(name);
  if (hostNetwork && star.startsWith('net.')) return "may not be specified when 'hostNetwork' is true";
  if (hostIPC && (ipcSysctls.has(star) || star.startsWith('fs.mqueue.'))) return "may not be specified when 'hostIPC' is true";
  return undefined;
}

/** With dots for slashes where slashes separate, cut at a wildcard. */
function normalizedSysctl(name: string): string {
  const first = name.search(/[./]/);
  const dotted = first < 0 || name[first] === '.' ? name : name.replace(/[./]/g, (separator) => (separator === '.' ? '/' : '.'));
  return dotted.split('*', 1)[0] ?? '';
}

/** Windows containers that run as processes of the host. */
export function validateHostProcess(spec: PodSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  const podWide = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let hostProcesses = 0;
  forEachContainer(spec, path, (container, at) => {
    containers++;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (podWide !== undefined && own !== undefined && podWide !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${podWide}`;
      errors.invalid(`${at()}.securityContext.windowsOptions.hostProcess`, own, detail);
    }
    if (own ?? podWide ?? false) hostProcesses++;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers) {
    errors.invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers');
  }
  if (!spec.hostNetwork) errors.invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers');
  if (!rules.privileged) errors.forbidden(path, 'hostProcess containers are disallowed by cluster policy');
}

/** `os` must be valid before what depends on it is looked at. */
export function validateOs(spec: PodSpec, path: string, errors: FieldErrors): void {
  const { os } = spec;
  if (os === undefined) return;
  if (os.name === '') errors.required(`${path}.os.name`);
  else if (os.name === 'linux') validateLinux(spec, path, errors);
  else if (os.name === 'windows') validateWindows(spec, path, errors);
  else errors.notSupported(`${path}.os`, os.name, ['linux', 'windows']);
}

function validateLinux(spec: PodSpec, path: string, errors: FieldErrors): void {
  const detail = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions !== undefined) errors.forbidden(`${path}.securityContext.windowsOptions`, detail);
  forEachContainer(spec, path, ({ securityContext }, at) => {
    if (securityContext?.windowsOptions !== undefined) errors.forbidden(`${at()}.securityContext.windowsOptions`, detail);
  });
}

const linuxPodFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const linuxContainerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

function validateWindows(spec: PodSpec, path: string, errors: FieldErrors): void {
  const detail = 'cannot be set for a windows pod';
  if (spec.hostUsers !== undefined) errors.forbidden(`${path}.hostUsers`, detail);
  if (spec.hostPID) errors.forbidden(`${path}.hostPID`, detail);
  if (spec.hostIPC) errors.forbidden(`${path}.hostIPC`, detail);
  if (spec.shareProcessNamespace !== undefined) errors.forbidden(`${path}.shareProcessNamespace`, detail);
  for (const field of linuxPodFields) if (spec.securityContext?.[field] !== undefined) errors.forbidden(`${path}.securityContext.${field}`, detail);
  forEachContainer(spec, path, ({ securityContext }, at) => {
    if (securityContext === undefined) return;
    for (const field of linuxContainerFields) if (securityContext[field] !== undefined) errors.forbidden(`${at()}.securityContext.${field}`, detail);
  });
}

/** A pod in a user namespace of its own shares none of the host's. */
export function validateHostUsers(spec: PodSpec, path: string, errors: FieldErrors, rules: PodRules): void {
  if (spec.hostUsers !== false) return;
  const detail = 'when `hostUsers` is false';
  if (spec.hostNetwork && !rules.hostNetworkWithUserNamespaces) errors.forbidden(`${path}.hostNetwork`, detail);
  if (spec.hostPID) errors.forbidden(`${path}.HostPID`, detail);
  if (spec.hostIPC) errors.forbidden(`${path}.HostIPC`, detail);
  if (rules.anyVolumeDevices) return;
  forEachContainer(spec, path, ({ volumeDevices }, at) => {
    if (volumeDevices?.length) errors.forbidden(`${at()}.volumeDevices`, detail);
  });
}

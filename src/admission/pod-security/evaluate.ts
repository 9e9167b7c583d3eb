// Which checks a level has in which version, and what they find.
import {
  appArmorProfile,
  baselineCapabilities,
  baselineSeccomp,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndLifecycle,
  privileged,
  procMount,
  seccompAnnotations,
  seLinuxOptions,
  sysctls,
  unlessUserNamespace,
  windowsHostProcess,
} from '#admission/pod-security/baseline-checks.ts';
import type { LevelVersion } from '#admission/pod-security/policy.ts';
import {
  allowPrivilegeEscalation,
  restrictedCapabilities,
  restrictedSeccomp,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  unlessWindows,
} from '#admission/pod-security/restricted-checks.ts';
import type { Check, Finding, Subject } from '#admission/pod-security/subject.ts';

export interface VersionedCheck {
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** From this minor version on; the last that applies counts. */
  readonly versions: readonly (readonly [since: number, check: Check])[];
  /** The baseline check that it takes the place of at the restricted level. */
  readonly overrides?: string;
}

const sysctlsOf = (...names: readonly string[]) => names.map((name) => `net.ipv4.${name}`);
const sysctls0 = ['kernel.shm_rmid_forced', ...sysctlsOf('ip_local_port_range', 'tcp_syncookies', 'ping_group_range', 'ip_unprivileged_port_start')];
const sysctls27 = [...sysctls0, ...sysctlsOf('ip_local_reserved_ports')];
const sysctls29 = [...sysctls27, ...sysctlsOf('tcp_keepalive_time', 'tcp_fin_timeout', 'tcp_keepalive_intvl', 'tcp_keepalive_probes')];
const sysctls32 = [...sysctls29, ...sysctlsOf('tcp_rmem', 'tcp_wmem')];
const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** In the order in which findings are told: baseline checks by name, then restricted ones by name. */
export const checks: readonly VersionedCheck[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: [[0, appArmorProfile]] },
  { id: 'capabilities_baseline', level: 'baseline', versions: [[0, baselineCapabilities]] },
  { id: 'hostNamespaces', level: 'baseline', versions: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', level: 'baseline', versions: [[0, hostPathVolumes]] },
  { id: 'hostPorts', level: 'baseline', versions: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', versions: [[34, hostProbesAndLifecycle]] },
  { id: 'privileged', level: 'baseline', versions: [[0, privileged]] },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [
      [0, procMount],
      [35, unlessUserNamespace(procMount)],
    ],
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      [0, seLinuxOptions(new Set(seLinuxTypes))],
      [31, seLinuxOptions(new Set([...seLinuxTypes, 'container_engine_t']))],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    level: 'baseline',
    versions: [
      [0, seccompAnnotations],
      [19, baselineSeccomp],
    ],
  },
  {
    id: 'sysctls',
    level: 'baseline',
    versions: [
      [0, sysctls(new Set(sysctls0))],
      [27, sysctls(new Set(sysctls27))],
      [29, sysctls(new Set(sysctls29))],
      [32, sysctls(new Set(sysctls32))],
    ],
  },
  { id: 'windowsHostProcess', level: 'baseline', versions: [[0, windowsHostProcess]] },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      [8, allowPrivilegeEscalation],
      [25, unlessWindows(allowPrivilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    overrides: 'capabilities_baseline',
    versions: [
      [22, restrictedCapabilities],
      [25, unlessWindows(restrictedCapabilities)],
    ],
  },
  { id: 'procMount_restricted', level: 'restricted', overrides: 'procMount', versions: [[35, procMount]] },
  { id: 'restrictedVolumes', level: 'restricted', overrides: 'hostPathVolumes', versions: [[0, restrictedVolumes]] },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      [0, runAsNonRoot],
      [35, unlessUserNamespace(runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      [23, runAsUser],
      [35, unlessUserNamespace(runAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    level: 'restricted',
    overrides: 'seccompProfile_baseline',
    versions: [
      [19, restrictedSeccomp],
      [25, unlessWindows(restrictedSeccomp)],
    ],
  },
];

/** Nothing changed after this version. */
export const newestVersion = Math.max(...checks.flatMap(({ versions }) => versions.map(([since]) => since)));

export function evaluate({ level, version }: LevelVersion, subject: Subject): readonly Finding[] {
  if (level === 'privileged') return [];
  return checksOf(level, version === 'latest' ? newestVersion : Math.min(version, newestVersion)).flatMap((check) => check(subject) ?? []);
}

function checksOf(level: 'baseline' | 'restricted', version: number): readonly Check[] {
  const active = checks.filter((check) => (level === 'restricted' || check.level === 'baseline') && checkIn(check, version));
  const overridden = new Set(active.map(({ overrides }) => overrides));
  return active.filter(({ id }) => !overridden.has(id)).flatMap((check) => checkIn(check, version) ?? []);
}

function checkIn({ versions }: VersionedCheck, version: number): Check | undefined {
  return versions.findLast(([since]) => since <= version)?.[1];
}

export function reasons(findings: readonly Finding[]): string {
  return findings.map(({ reason }) => reason).join(', ');
}

export function details(findings: readonly Finding[]): string {
  return findings.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}

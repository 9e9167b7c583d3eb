import { describe, expect, test } from 'vitest';
import { details, evaluate, newestVersion } from '#admission/pod-security/evaluate.ts';
import { subjectOf } from '#admission/pod-security/subject.ts';
import type { PodSpec } from '#kinds/core/v1/pod-spec.ts';

type Fields = Record<string, unknown>;

interface Change {
  readonly pod?: Fields;
  readonly securityContext?: Fields;
  readonly container?: Fields;
  readonly containerSecurity?: Fields;
  readonly annotations?: Record<string, string>;
}

interface Case extends Change {
  readonly what: string;
  /** The minor versions in which it is refused, by level; from and to included. */
  readonly baseline?: readonly [number, number];
  readonly restricted?: readonly [number, number];
  readonly says: string;
}

const last = newestVersion;
const always = [0, last] as const;

/** Passes every check of every version. */
function hardened({ pod, securityContext, container, containerSecurity, annotations }: Change, kind: 'containers' | 'initContainers' | 'ephemeralContainers') {
  const sound = { name: 'sound', securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } };
  const changed = { ...sound, name: 'c', ...container, securityContext: { ...sound.securityContext, ...containerSecurity } };
  const spec = {
    containers: [sound],
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' }, ...securityContext },
    ...pod,
  } as Fields;
  spec[kind] = kind === 'containers' ? [sound, changed] : [changed];
  return subjectOf({ ...(annotations && { annotations }) }, spec as unknown as PodSpec);
}

const cases: readonly Case[] = [
  { what: 'shares the host network', pod: { hostNetwork: true }, baseline: always, restricted: always, says: 'host namespaces (hostNetwork=true)' },
  {
    what: 'shares all host namespaces',
    pod: { hostNetwork: true, hostPID: true, hostIPC: true },
    baseline: always,
    restricted: always,
    says: 'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  },
  {
    what: 'is privileged',
    containerSecurity: { privileged: true },
    baseline: always,
    restricted: always,
    says: 'privileged (container "c" must not set securityContext.privileged=true)',
  },
  {
    what: 'adds a strong capability',
    containerSecurity: { capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] } },
    baseline: always,
    restricted: [0, 21],
    says: 'non-default capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add)',
  },
  {
    what: 'adds a default capability',
    containerSecurity: { capabilities: { add: ['CHOWN'], drop: ['ALL'] } },
    restricted: [22, last],
    says: 'unrestricted capabilities (container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  },
  { what: 'adds NET_BIND_SERVICE', containerSecurity: { capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } }, says: '' },
  {
    what: 'drops no capabilities',
    containerSecurity: { capabilities: undefined },
    restricted: [22, last],
    says: 'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
  },
  { what: 'mounts a host path', pod: { volumes: [{ name: 'v', hostPath: { path: '/' } }] }, baseline: always, says: 'hostPath volumes (volume "v")' },
  {
    what: 'mounts volumes of other types',
    pod: {
      volumes: [
        { name: 'v', hostPath: { path: '/' } },
        { name: 'w', nfs: {} },
        { name: 'x', emptyDir: {} },
      ],
    },
    restricted: always,
    says: 'restricted volume types (volumes "v", "w" use restricted volume types "hostPath", "nfs")',
  },
  {
    what: 'takes a host port',
    container: { ports: [{ containerPort: 1, hostPort: 80 }] },
    baseline: always,
    restricted: always,
    says: 'hostPort (container "c" uses hostPort 80)',
  },
  {
    what: 'probes another host',
    container: { livenessProbe: { httpGet: { host: '10.0.0.1' } } },
    baseline: [34, last],
    restricted: [34, last],
    says: 'probe or lifecycle host (container "c" uses probe or lifecycle host "10.0.0.1")',
  },
  {
    what: 'calls another host when it ends',
    container: { lifecycle: { preStop: { tcpSocket: { host: 'a.b' } } } },
    baseline: [34, last],
    restricted: [34, last],
    says: 'probe or lifecycle host (container "c" uses probe or lifecycle host "a.b")',
  },
  {
    what: 'names an unconfined AppArmor profile',
    containerSecurity: { appArmorProfile: { type: 'Unconfined' } },
    baseline: always,
    restricted: always,
    says: 'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
  },
  {
    what: 'names an unconfined AppArmor profile in an annotation',
    annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' },
    baseline: always,
    restricted: always,
    says: 'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")',
  },
  { what: 'names a local AppArmor profile', securityContext: { appArmorProfile: { type: 'Localhost' } }, says: '' },
  {
    what: 'unmasks /proc',
    containerSecurity: { procMount: 'Unmasked' },
    baseline: always,
    restricted: always,
    says: 'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  },
  {
    what: 'unmasks /proc in a user namespace',
    pod: { hostUsers: false },
    containerSecurity: { procMount: 'Unmasked' },
    baseline: [0, 34],
    restricted: always,
    says: 'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  },
  {
    what: 'sets SELinux user and type',
    securityContext: { seLinuxOptions: { type: 'spc_t', user: 'u' } },
    baseline: always,
    restricted: always,
    says: 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
  },
  {
    what: 'sets a newer SELinux type',
    securityContext: { seLinuxOptions: { type: 'container_engine_t' } },
    baseline: [0, 30],
    restricted: [0, 30],
    says: 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
  },
  {
    what: 'is unconfined for seccomp',
    containerSecurity: { seccompProfile: { type: 'Unconfined' } },
    baseline: [19, last],
    restricted: [19, last],
    says: 'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  },
  {
    what: 'is unconfined for seccomp by an annotation',
    annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' },
    baseline: [0, 18],
    restricted: [0, 18],
    says: 'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  },
  {
    what: 'says nothing of seccomp',
    securityContext: { seccompProfile: undefined },
    restricted: [19, last],
    says: 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  },
  ...(
    [
      ['kernel.msgmax', last],
      ['net.ipv4.ip_local_reserved_ports', 26],
      ['net.ipv4.tcp_fin_timeout', 28],
      ['net.ipv4.tcp_rmem', 31],
    ] as const
  ).map(([name, until]) => ({
    what: `sets ${name}`,
    securityContext: { sysctls: [{ name, value: '1' }] },
    baseline: [0, until] as const,
    restricted: [0, until] as const,
    says: `forbidden sysctls (${name})`,
  })),
  {
    what: 'is a Windows host process',
    containerSecurity: { windowsOptions: { hostProcess: true } },
    baseline: always,
    restricted: always,
    says: 'hostProcess (container "c" must not set securityContext.windowsOptions.hostProcess=true)',
  },
  {
    what: 'may gain privileges',
    containerSecurity: { allowPrivilegeEscalation: undefined },
    restricted: [8, last],
    says: 'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  },
  {
    what: 'may gain privileges on Windows',
    pod: { os: { name: 'windows' } },
    containerSecurity: { allowPrivilegeEscalation: undefined, capabilities: undefined },
    restricted: [8, 24],
    says: 'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  },
  {
    what: 'may run as root',
    securityContext: { runAsNonRoot: false },
    restricted: always,
    says: 'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
  },
  {
    what: 'does not say whether it runs as root',
    securityContext: { runAsNonRoot: undefined },
    restricted: always,
    says: 'must set securityContext.runAsNonRoot=true)',
  },
  {
    what: 'does not say whether it runs as root, in a user namespace',
    pod: { hostUsers: false },
    securityContext: { runAsNonRoot: undefined },
    restricted: [0, 34],
    says: 'must set securityContext.runAsNonRoot=true)',
  },
  { what: 'runs as user 0', containerSecurity: { runAsUser: 0 }, restricted: [23, last], says: 'runAsUser=0 (container "c" must not set runAsUser=0)' },
  {
    what: 'runs as user 0 in a user namespace',
    pod: { hostUsers: false },
    containerSecurity: { runAsUser: 0 },
    restricted: [23, 34],
    says: 'runAsUser=0 (container "c" must not set runAsUser=0)',
  },
];

const versions = [...Array.from({ length: newestVersion + 3 }, (_, version) => version), 'latest' as const];

function isWithin(range: readonly [number, number] | undefined, version: number | 'latest'): boolean {
  const minor = version === 'latest' ? last : Math.min(version, last);
  return range !== undefined && minor >= range[0] && minor <= range[1];
}

describe.each(['containers', 'initContainers', 'ephemeralContainers'] as const)('a pod with %s', (kind) => {
  test('that says all it should passes every level in every version', () => {
    for (const level of ['privileged', 'baseline', 'restricted'] as const) {
      for (const version of versions) expect(details(evaluate({ level, version }, hardened({}, kind)))).toBe('');
    }
  });

  test.each(cases)('that $what is refused in the versions that know the check', ({ what: _, baseline, restricted, says, ...change }) => {
    const subject = hardened(change, kind);
    for (const version of versions) {
      expect(evaluate({ level: 'privileged', version }, subject)).toEqual([]);
      expect([version, details(evaluate({ level: 'baseline', version }, subject)).includes(says) && says !== '']).toEqual([
        version,
        isWithin(baseline, version),
      ]);
      expect([version, details(evaluate({ level: 'restricted', version }, subject)).includes(says) && says !== '']).toEqual([
        version,
        isWithin(restricted, version),
      ]);
    }
    if (says === '') expect(details(evaluate({ level: 'restricted', version: 'latest' }, subject))).toBe('');
  });
});

// What pods say that a Pod Security check has an opinion on: in which versions each level refuses it, and with which words.
import { newestVersion } from '#admission/pod-security/evaluate.ts';

type Fields = Record<string, unknown>;
type Range = readonly [from: number, to: number];

export interface Change {
  readonly pod?: Fields;
  readonly securityContext?: Fields;
  readonly container?: Fields;
  readonly containerSecurity?: Fields;
  readonly annotations?: Record<string, string>;
  /** Starts from a pod that says nothing, not from a hardened one. */
  readonly bare?: boolean;
}

export interface PodSecurityCase extends Change {
  readonly what: string;
  /** The minor versions in which it is refused, by level; from and to included. */
  readonly baseline?: Range;
  readonly restricted?: Range;
  /** Empty: nobody minds. */
  readonly says: string;
  /** The server changes or refuses such a pod for other reasons, so that only the check itself can be asked. */
  readonly checkOnly?: boolean;
}

export type ContainerKind = 'containers' | 'initContainers' | 'ephemeralContainers';

const last = newestVersion;
const always: Range = [0, last];
const everywhere = { baseline: always, restricted: always };
const since = (version: number) => ({ baseline: [version, last] as Range, restricted: [version, last] as Range });
const until = (version: number) => ({ baseline: [0, version] as Range, restricted: [0, version] as Range });

/** Passes every check of every version, but for the change. */
export function podSpecOf({ pod, securityContext, container, containerSecurity, bare = false }: Change, kind: ContainerKind): Fields {
  const security = bare ? {} : { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const sound = { name: 'sound', image: 'i', securityContext: security };
  const changed = { ...sound, name: 'c', ...container, securityContext: { ...security, ...containerSecurity } };
  const ofPod = bare ? {} : { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  const spec: Fields = { containers: [sound], securityContext: { ...ofPod, ...securityContext }, ...pod };
  spec[kind] = kind === 'containers' ? [sound, changed] : [changed];
  return spec;
}

/** Whether the level refuses the case in the version. */
export function isRefused({ baseline, restricted }: PodSecurityCase, level: 'baseline' | 'restricted', version: number | 'latest'): boolean {
  const range = level === 'baseline' ? baseline : restricted;
  const minor = version === 'latest' ? last : Math.min(version, last);
  return range !== undefined && minor >= range[0] && minor <= range[1];
}

const hostCases: readonly PodSecurityCase[] = [
  { what: 'shares the host network', pod: { hostNetwork: true }, ...everywhere, says: 'host namespaces (hostNetwork=true)' },
  { what: 'shares the processes of the host', pod: { hostPID: true }, ...everywhere, says: 'host namespaces (hostPID=true)' },
  { what: 'shares the memory of the host', pod: { hostIPC: true }, ...everywhere, says: 'host namespaces (hostIPC=true)' },
  {
    what: 'shares all host namespaces',
    pod: { hostNetwork: true, hostPID: true, hostIPC: true },
    ...everywhere,
    says: 'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
  },
  {
    what: 'is privileged',
    containerSecurity: { privileged: true, allowPrivilegeEscalation: undefined },
    ...everywhere,
    says: 'privileged (container "c" must not set securityContext.privileged=true)',
  },
  { what: 'says it is not privileged', containerSecurity: { privileged: false }, says: '' },
  {
    what: 'takes a host port',
    container: { ports: [{ containerPort: 80, hostPort: 80 }] },
    ...everywhere,
    says: 'hostPort (container "c" uses hostPort 80)',
  },
  {
    what: 'takes host ports',
    container: {
      ports: [
        { containerPort: 9, hostPort: 9 },
        { containerPort: 10, hostPort: 10 },
      ],
    },
    ...everywhere,
    says: 'hostPort (container "c" uses hostPorts 10, 9)',
  },
  { what: 'has a port of its own', container: { ports: [{ containerPort: 80 }] }, says: '' },
  ...(['livenessProbe', 'readinessProbe', 'startupProbe'] as const).map((probe) => ({
    what: `has a ${probe} of another host`,
    container: { [probe]: { httpGet: { host: '10.0.0.1', port: 1 } } },
    ...since(34),
    says: 'probe or lifecycle host (container "c" uses probe or lifecycle host "10.0.0.1")',
  })),
  ...(['postStart', 'preStop'] as const).map((hook) => ({
    what: `calls another host at ${hook}`,
    container: { lifecycle: { [hook]: { tcpSocket: { host: 'a.b', port: 1 } } } },
    ...since(34),
    says: 'probe or lifecycle host (container "c" uses probe or lifecycle host "a.b")',
  })),
  { what: 'probes itself', container: { livenessProbe: { httpGet: { port: 1 } } }, says: '' },
  {
    what: 'is a Windows host process',
    bare: true,
    pod: { hostNetwork: true },
    securityContext: { windowsOptions: { hostProcess: true } },
    ...everywhere,
    says: 'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
  },
  {
    what: 'has a container that is a Windows host process',
    containerSecurity: { windowsOptions: { hostProcess: true } },
    ...everywhere,
    says: 'hostProcess (container "c" must not set securityContext.windowsOptions.hostProcess=true)',
    checkOnly: true,
  },
];

const capabilityCases: readonly PodSecurityCase[] = [
  ...['NET_ADMIN', 'NET_RAW', 'ALL', 'sys_chroot'].map((name) => ({
    what: `adds the capability ${name}`,
    containerSecurity: { capabilities: { add: [name], drop: ['ALL'] } },
    baseline: always,
    restricted: [0, 21] as Range,
    says: `non-default capabilities (container "c" must not include "${name}" in securityContext.capabilities.add)`,
  })),
  ...'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' ').map((name) => ({
    what: `adds the default capability ${name}`,
    containerSecurity: { capabilities: { add: [name], drop: ['ALL'] } },
    restricted: [22, last] as Range,
    says: `unrestricted capabilities (container "c" must not include "${name}" in securityContext.capabilities.add)`,
  })),
  { what: 'adds NET_BIND_SERVICE', containerSecurity: { capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } }, says: '' },
  ...[undefined, {}, { drop: ['CHOWN'] }].map((capabilities) => ({
    what: `drops not all capabilities but ${JSON.stringify(capabilities)}`,
    containerSecurity: { capabilities },
    restricted: [22, last] as Range,
    says: 'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
  })),
  {
    what: 'may gain privileges',
    containerSecurity: { allowPrivilegeEscalation: undefined },
    restricted: [8, last],
    says: 'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  },
  {
    what: 'wants to gain privileges',
    containerSecurity: { allowPrivilegeEscalation: true },
    restricted: [8, last],
    says: 'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  },
];

const windows: Change = { bare: true, pod: { os: { name: 'windows' } }, securityContext: { runAsNonRoot: true } };
const windowsCases: readonly PodSecurityCase[] = [
  {
    ...windows,
    what: 'says nothing of privileges on Windows',
    restricted: [8, 24],
    says: 'must set securityContext.allowPrivilegeEscalation=false)',
  },
  { ...windows, what: 'drops no capabilities on Windows', restricted: [22, 24], says: 'must set securityContext.capabilities.drop=["ALL"])' },
  {
    ...windows,
    what: 'says nothing of seccomp on Windows',
    restricted: [19, 24],
    says: 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  },
  {
    ...windows,
    what: 'says nothing of root on Windows',
    securityContext: {},
    restricted: always,
    says: 'must set securityContext.runAsNonRoot=true)',
  },
];

const sources: Readonly<Record<string, Fields>> = {
  hostPath: { path: '/' },
  gcePersistentDisk: { pdName: 'a' },
  awsElasticBlockStore: { volumeID: 'a' },
  gitRepo: { repository: 'a' },
  nfs: { server: 'a', path: '/' },
  iscsi: { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:a', lun: 0 },
  glusterfs: { endpoints: 'a', path: '/' },
  rbd: { monitors: ['a'], image: 'a' },
  flexVolume: { driver: 'a' },
  cinder: { volumeID: 'a' },
  cephfs: { monitors: ['a'] },
  flocker: { datasetName: 'a' },
  fc: { targetWWNs: ['a'], lun: 0 },
  azureFile: { secretName: 'a', shareName: 'a' },
  vsphereVolume: { volumePath: 'a' },
  quobyte: { registry: 'a:1', volume: 'a' },
  azureDisk: { diskName: 'a', diskURI: 'https://blob/vhds/a.vhd' },
  photonPersistentDisk: { pdID: 'a' },
  portworxVolume: { volumeID: 'a' },
  scaleIO: { gateway: 'https://a', system: 'a', volumeName: 'a', secretRef: { name: 'a' } },
  storageos: { volumeName: 'a' },
};
const soundSources: readonly Fields[] = [
  { configMap: { name: 'a' } },
  { csi: { driver: 'a.b' } },
  { downwardAPI: { items: [] } },
  { emptyDir: {} },
  { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } } } } },
  { image: { reference: 'a' } },
  { persistentVolumeClaim: { claimName: 'a' } },
  { projected: { sources: [] } },
  { secret: { secretName: 'a' } },
];

const volumeCases: readonly PodSecurityCase[] = [
  { what: 'mounts a host path', pod: { volumes: [{ name: 'v', hostPath: { path: '/' } }] }, baseline: always, says: 'hostPath volumes (volume "v")' },
  ...Object.entries(sources).map(([type, source]) => ({
    what: `mounts a volume of type ${type}`,
    pod: { volumes: [{ name: 'v', [type]: source }] },
    restricted: always,
    says: `restricted volume types (volume "v" uses restricted volume type "${type}")`,
  })),
  {
    what: 'mounts volumes of several types',
    pod: {
      volumes: [
        { name: 'w', nfs: sources['nfs'] },
        { name: 'v', hostPath: { path: '/' } },
        { name: 'x', emptyDir: {} },
      ],
    },
    restricted: always,
    says: 'restricted volume types (volumes "w", "v" use restricted volume types "hostPath", "nfs")',
  },
  ...soundSources.map((source) => ({ what: `mounts ${Object.keys(source).join('')}`, pod: { volumes: [{ name: 'v', ...source }] }, says: '' })),
];

const appArmorKey = 'container.apparmor.security.beta.kubernetes.io/';
const profileCases: readonly PodSecurityCase[] = [
  {
    what: 'has a container with an unconfined AppArmor profile',
    containerSecurity: { appArmorProfile: { type: 'Unconfined' } },
    ...everywhere,
    says: 'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
  },
  {
    what: 'has an unconfined AppArmor profile',
    securityContext: { appArmorProfile: { type: 'Unconfined' } },
    ...everywhere,
    says: 'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
  },
  {
    what: 'names an unconfined AppArmor profile in an annotation',
    annotations: { [`${appArmorKey}c`]: 'unconfined' },
    ...everywhere,
    says: `forbidden AppArmor profile (annotation must not set AppArmor profile type to "${appArmorKey}c="unconfined"")`,
    checkOnly: true,
  },
  { what: 'names AppArmor profiles of the runtime', annotations: { [`${appArmorKey}c`]: 'runtime/default' }, says: '', checkOnly: true },
  { what: 'names local AppArmor profiles in annotations', annotations: { [`${appArmorKey}c`]: 'localhost/a' }, says: '', checkOnly: true },
  { what: 'names a local AppArmor profile', securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'a' } }, says: '' },
  {
    what: 'is unconfined for seccomp',
    securityContext: { seccompProfile: { type: 'Unconfined' } },
    ...since(19),
    says: 'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  },
  {
    what: 'has a container that is unconfined for seccomp',
    containerSecurity: { seccompProfile: { type: 'Unconfined' } },
    ...since(19),
    says: 'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  },
  { what: 'has a local seccomp profile', securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a' } }, says: '' },
  ...(['seccomp.security.alpha.kubernetes.io/pod', 'container.seccomp.security.alpha.kubernetes.io/c'] as const).flatMap((key) => [
    {
      what: `is unconfined for seccomp by ${key}`,
      annotations: { [key]: 'unconfined' },
      ...until(18),
      says: `seccompProfile (forbidden annotation ${key}="unconfined")`,
      checkOnly: !key.startsWith('container'),
    },
    ...['runtime/default', 'docker/default', 'localhost/a'].map((value) => ({
      what: `has the seccomp profile ${value} by ${key}`,
      annotations: { [key]: value },
      says: '',
      // The server wants the field to say the same.
      checkOnly: value.startsWith('localhost') && !key.startsWith('container'),
    })),
  ]),
  {
    what: 'says nothing of seccomp',
    securityContext: { seccompProfile: undefined },
    restricted: [19, last],
    says: 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  },
  {
    what: 'unmasks /proc',
    containerSecurity: { procMount: 'Unmasked' },
    ...everywhere,
    says: 'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    checkOnly: true,
  },
  { what: 'masks /proc as usual', containerSecurity: { procMount: 'Default' }, says: '' },
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
    ...everywhere,
    says: 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
  },
  {
    what: 'has a container with an SELinux role',
    containerSecurity: { seLinuxOptions: { role: 'r' } },
    ...everywhere,
    says: 'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: role may not be set)',
  },
  {
    what: 'sets a newer SELinux type',
    securityContext: { seLinuxOptions: { type: 'container_engine_t' } },
    ...until(30),
    says: 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
  },
  ...['container_t', 'container_init_t', 'container_kvm_t'].map((type) => ({
    what: `sets the SELinux type ${type}`,
    securityContext: { seLinuxOptions: { type, level: 's0:c1,c2' } },
    says: '',
  })),
];

const sysctlCases: readonly PodSecurityCase[] = [
  ...(
    [
      ['kernel.msgmax', last],
      ['net.ipv4.ip_local_reserved_ports', 26],
      ['net.ipv4.tcp_keepalive_time', 28],
      ['net.ipv4.tcp_fin_timeout', 28],
      ['net.ipv4.tcp_keepalive_intvl', 28],
      ['net.ipv4.tcp_keepalive_probes', 28],
      ['net.ipv4.tcp_rmem', 31],
      ['net.ipv4.tcp_wmem', 31],
    ] as const
  ).map(([name, to]) => ({
    what: `sets ${name}`,
    securityContext: { sysctls: [{ name, value: '1' }] },
    ...until(to),
    says: `forbidden sysctls (${name})`,
  })),
  ...[
    'kernel.shm_rmid_forced',
    'net.ipv4.ip_local_port_range',
    'net.ipv4.tcp_syncookies',
    'net.ipv4.ping_group_range',
    'net.ipv4.ip_unprivileged_port_start',
  ].map((name) => ({ what: `sets ${name}`, securityContext: { sysctls: [{ name, value: '1' }] }, says: '' })),
];

const unheard = 'must set securityContext.runAsNonRoot=true)';
const rootCases: readonly PodSecurityCase[] = [
  {
    what: 'may run as root',
    securityContext: { runAsNonRoot: false },
    restricted: always,
    says: 'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
  },
  {
    what: 'has a container that may run as root',
    containerSecurity: { runAsNonRoot: false },
    restricted: always,
    says: 'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
  },
  { what: 'does not say whether it runs as root', securityContext: { runAsNonRoot: undefined }, restricted: always, says: unheard },
  {
    what: 'does not say whether it runs as root, in a user namespace',
    pod: { hostUsers: false },
    securityContext: { runAsNonRoot: undefined },
    restricted: [0, 34],
    says: unheard,
  },
  {
    what: 'does not say whether it runs as root, in the user namespace of the host',
    pod: { hostUsers: true },
    securityContext: { runAsNonRoot: undefined },
    restricted: always,
    says: unheard,
  },
  { what: 'runs as user 0', securityContext: { runAsUser: 0 }, restricted: [23, last], says: 'runAsUser=0 (pod must not set runAsUser=0)' },
  {
    what: 'has a container that runs as user 0',
    containerSecurity: { runAsUser: 0 },
    restricted: [23, last],
    says: 'runAsUser=0 (container "c" must not set runAsUser=0)',
  },
  {
    what: 'runs as user 0 in a user namespace',
    pod: { hostUsers: false },
    containerSecurity: { runAsUser: 0 },
    restricted: [23, 34],
    says: 'runAsUser=0 (container "c" must not set runAsUser=0)',
  },
  { what: 'runs as another user', securityContext: { runAsUser: 1000 }, says: '' },
];

export const podSecurityCases: readonly PodSecurityCase[] = [
  ...hostCases,
  ...capabilityCases,
  ...windowsCases,
  ...volumeCases,
  ...profileCases,
  ...sysctlCases,
  ...rootCases,
];

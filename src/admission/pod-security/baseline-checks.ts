// The checks of the baseline level: nothing that reaches for the host.
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { SELinuxOptions } from '#kinds/core/v1/container/security-context.ts';
import { type Check, containersNamed, hasUserNamespace, namesOf, plural, quoted, setters, sortedSet } from '#admission/pod-security/subject.ts';

const defaultCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
);
const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';
const allowedProfiles = new Set(['RuntimeDefault', 'Localhost']);

export const appArmorProfile: Check = ({ metadata, spec, containers }) => {
  const bad = (profile: { readonly type: string } | undefined) => profile !== undefined && !allowedProfiles.has(profile.type);
  const ofPod = spec.securityContext?.appArmorProfile;
  const badContainers = containers.filter(({ securityContext }) => bad(securityContext?.appArmorProfile));
  const annotations = Object.entries(metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(appArmorAnnotation) && value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/'))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .toSorted();
  const who = [
    setters(
      bad(ofPod),
      badContainers.map(({ name }) => name),
    ),
    ...(annotations.length > 0 ? [plural(annotations.length, 'annotation')] : []),
  ];
  const given = who.filter((setter) => setter !== '');
  if (given.length === 0) return undefined;
  const types = [...(bad(ofPod) ? [ofPod?.type ?? ''] : []), ...badContainers.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? '')];
  const values = [...sortedSet(types), ...annotations];
  return {
    reason: plural(values.length, 'forbidden AppArmor profile'),
    detail: `${given.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

export const baselineCapabilities: Check = ({ containers }) => {
  const forbidden = ({ securityContext }: Container) => (securityContext?.capabilities?.add ?? []).filter((capability) => !defaultCapabilities.has(capability));
  const bad = namesOf(containers, (container) => forbidden(container).length > 0);
  if (bad.length === 0) return undefined;
  const capabilities = quoted(sortedSet(containers.flatMap(forbidden)));
  return { reason: 'non-default capabilities', detail: `${containersNamed(bad)} must not include ${capabilities} in securityContext.capabilities.add` };
};

export const hostNamespaces: Check = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field]);
  return shared.length === 0 ? undefined : { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ spec }) => {
  const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return volumes.length === 0 ? undefined : { reason: 'hostPath volumes', detail: `${plural(volumes.length, 'volume')} ${quoted(volumes)}` };
};

export const hostPorts: Check = ({ containers }) => {
  const portsOf = ({ ports }: Container) => (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const bad = namesOf(containers, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedSet(containers.flatMap(portsOf));
  const detail = `${containersNamed(bad)} ${plural(bad.length, 'uses', 'use')} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail };
};

export const hostProbesAndLifecycle: Check = ({ containers }) => {
  const hostsOf = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .filter((host) => host !== undefined && host !== '') as string[];
  const bad = sortedSet(namesOf(containers, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const hosts = sortedSet(containers.flatMap(hostsOf));
  const detail = `${containersNamed(bad)} ${plural(bad.length, 'uses', 'use')} ${plural(hosts.length, 'probe or lifecycle host')} ${quoted(hosts)}`;
  return { reason: 'probe or lifecycle host', detail };
};

export const privileged: Check = ({ containers }) => {
  const bad = namesOf(containers, ({ securityContext }) => securityContext?.privileged === true);
  return bad.length === 0 ? undefined : { reason: 'privileged', detail: `${containersNamed(bad)} must not set securityContext.privileged=true` };
};

export const procMount: Check = ({ containers }) => {
  const typeOf = ({ securityContext }: Container) => securityContext?.procMount;
  const bad = containers.filter((container) => (typeOf(container) ?? 'Default') !== 'Default');
  if (bad.length === 0) return undefined;
  const types = quoted(sortedSet(bad.map((container) => typeOf(container) ?? '')));
  return { reason: 'procMount', detail: `${containersNamed(bad.map(({ name }) => name))} must not set securityContext.procMount to ${types}` };
};

export function unlessUserNamespace(check: Check): Check {
  return (subject) => (hasUserNamespace(subject) ? undefined : check(subject));
}

export function seLinuxOptions(allowedTypes: ReadonlySet<string>): Check {
  return ({ spec, containers }) => {
    const badOptions = (options: SELinuxOptions | undefined) =>
      options !== undefined && (!allowedTypes.has(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
    const ofPod = spec.securityContext?.seLinuxOptions;
    const badContainers = containers.filter(({ securityContext }) => badOptions(securityContext?.seLinuxOptions));
    const given = [...(badOptions(ofPod) ? [ofPod] : []), ...badContainers.map(({ securityContext }) => securityContext?.seLinuxOptions)];
    if (given.length === 0) return undefined;
    const types = sortedSet(given.map((options) => options?.type ?? '').filter((type) => !allowedTypes.has(type)));
    const data = [
      ...(types.length > 0 ? [`${plural(types.length, 'type')} ${quoted(types)}`] : []),
      ...(given.some((options) => options?.user) ? ['user may not be set'] : []),
      ...(given.some((options) => options?.role) ? ['role may not be set'] : []),
    ];
    const who = setters(
      badOptions(ofPod),
      badContainers.map(({ name }) => name),
    );
    return { reason: 'seLinuxOptions', detail: `${who} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}` };
  };
}

const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccompAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before profiles were fields, annotations named them. */
export const seccompAnnotations: Check = ({ metadata, containers }) => {
  const keys = [seccompAnnotation, ...containers.map(({ name }) => containerSeccompAnnotation + name)];
  const forbidden = sortedSet(
    keys.flatMap((key) => {
      const value = metadata.annotations?.[key];
      const fine = value === undefined || value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
      return fine ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${plural(forbidden.length, 'annotation')} ${forbidden.join(', ')}` };
};

export const baselineSeccomp: Check = ({ spec, containers }) => {
  const bad = (profile: { readonly type: string } | undefined) => profile !== undefined && !allowedProfiles.has(profile.type);
  const ofPod = spec.securityContext?.seccompProfile;
  const badContainers = containers.filter(({ securityContext }) => bad(securityContext?.seccompProfile));
  const types = [...(bad(ofPod) ? [ofPod?.type ?? ''] : []), ...badContainers.map(({ securityContext }) => securityContext?.seccompProfile?.type ?? '')];
  if (types.length === 0) return undefined;
  const who = setters(
    bad(ofPod),
    badContainers.map(({ name }) => name),
  );
  return { reason: 'seccompProfile', detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(sortedSet(types))}` };
};

export function sysctls(allowed: ReadonlySet<string>): Check {
  return ({ spec }) => {
    const forbidden = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.has(name));
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };
}

export const windowsHostProcess: Check = ({ spec, containers }) => {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess === true;
  const bad = namesOf(containers, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  if (!ofPod && bad.length === 0) return undefined;
  return { reason: 'hostProcess', detail: `${setters(ofPod, bad)} must not set securityContext.windowsOptions.hostProcess=true` };
};

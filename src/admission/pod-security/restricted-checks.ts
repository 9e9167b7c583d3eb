// The checks of the restricted level: what a hardened pod must say about itself.
import { baselineSeccomp } from '#admission/pod-security/baseline-checks.ts';
import { type Check, containersNamed, isWindows, namesOf, plural, quoted, setters, sortedSet } from '#admission/pod-security/subject.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';

export const allowPrivilegeEscalation: Check = ({ containers }) => {
  const bad = namesOf(containers, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return { reason: 'allowPrivilegeEscalation != false', detail: `${containersNamed(bad)} must set securityContext.allowPrivilegeEscalation=false` };
};

export function unlessWindows(check: Check): Check {
  return (subject) => (isWindows(subject) ? undefined : check(subject));
}

export const restrictedCapabilities: Check = ({ containers }) => {
  const keeping = namesOf(containers, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'));
  const forbidden = ({ securityContext }: Container) => (securityContext?.capabilities?.add ?? []).filter((capability) => capability !== 'NET_BIND_SERVICE');
  const adding = namesOf(containers, (container) => forbidden(container).length > 0);
  const capabilities = quoted(sortedSet(containers.flatMap(forbidden)));
  const details = [
    ...(keeping.length > 0 ? [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0 ? [`${containersNamed(adding)} must not include ${capabilities} in securityContext.capabilities.add`] : []),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const allowedSources = ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret'] as const;
const otherSources = (
  'hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs flocker fc azureFile vsphereVolume quobyte azureDisk ' +
  'photonPersistentDisk portworxVolume scaleIO storageos'
).split(' ');

export const restrictedVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedSources.some((source) => volume[source]));
  if (bad.length === 0) return undefined;
  const types = sortedSet(bad.map(sourceOf));
  const volumes = `${plural(bad.length, 'volume')} ${quoted(bad.map(({ name }) => name))} ${plural(bad.length, 'uses', 'use')}`;
  return { reason: 'restricted volume types', detail: `${volumes} ${plural(types.length, 'restricted volume type')} ${quoted(types)}` };
};

function sourceOf(volume: Volume): string {
  return otherSources.find((source) => (volume as unknown as Record<string, unknown>)[source] !== undefined) ?? 'unknown';
}

export const runAsNonRoot: Check = ({ spec, containers }) => {
  const ofPod = spec.securityContext?.runAsNonRoot;
  const explicit = namesOf(containers, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const who = setters(ofPod === false, explicit);
  if (who !== '') return { reason: 'runAsNonRoot != true', detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = ofPod === true ? [] : namesOf(containers, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason: 'runAsNonRoot != true', detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = ({ spec, containers }) => {
  const isRoot = (user: number | bigint | undefined) => user !== undefined && Number(user) === 0;
  const who = setters(
    isRoot(spec.securityContext?.runAsUser),
    namesOf(containers, ({ securityContext }) => isRoot(securityContext?.runAsUser)),
  );
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

export const restrictedSeccomp: Check = (subject) => {
  const wrong = baselineSeccomp(subject);
  if (wrong || subject.spec.securityContext?.seccompProfile !== undefined) return wrong;
  const silent = namesOf(subject.containers, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${containersNamed(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
};

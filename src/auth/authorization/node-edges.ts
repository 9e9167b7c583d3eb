// Which edges of the node graph an object stands for.
import type { KubernetesObject } from '#api/object.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { Volume } from '#kinds/core/v1/volume/volume.ts';
import { type Edge, type Vertex, vertex } from '#auth/authorization/node-graph.ts';

const mirror = 'kubernetes.io/config.mirror';

/** A mirror pod stands only for itself: no node may give itself rights by making one. */
export function podEdges(object: KubernetesObject): Edge[] {
  const { metadata, spec, status } = object as unknown as Pod & KubernetesObject;
  const { namespace = '', name = '' } = metadata;
  if (!spec.nodeName) return [];
  const node = vertex('node', '', spec.nodeName);
  const mentioned: Vertex[] = [vertex('pod', namespace, name)];
  if (metadata.annotations?.[mirror] === undefined) {
    const add = (kind: string, named: string | undefined) => named && mentioned.push(vertex(kind, namespace, named));
    add('serviceaccount', spec.serviceAccountName);
    for (const secret of secretsOfPodSpec(spec)) add('secret', secret);
    for (const configMap of configMapsOf(spec)) add('configmap', configMap);
    for (const volume of spec.volumes ?? []) add('pvc', claimOf(name, volume));
    for (const claim of resourceClaimsOf(spec, status)) add('resourceclaim', claim);
  }
  return [...new Set(mentioned)].map((from) => ({ from, to: node }));
}

type Spec = Pod['spec'];

function containersOf({ containers, initContainers, ephemeralContainers }: Spec): readonly Pick<Container, 'env' | 'envFrom'>[] {
  return [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])];
}

export function secretsOfPodSpec(spec: Spec): (string | undefined)[] {
  const ofContainers = containersOf(spec).flatMap(({ env, envFrom }) => [
    ...(envFrom ?? []).map(({ secretRef }) => secretRef?.name),
    ...(env ?? []).map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
  ]);
  return [...(spec.imagePullSecrets ?? []).map(({ name }) => name), ...ofContainers, ...(spec.volumes ?? []).flatMap(secretsOfVolume)];
}

function secretsOfVolume(volume: Volume): (string | undefined)[] {
  const { azureFile, cephfs, cinder, flexVolume, projected, rbd, secret, scaleIO, iscsi, storageos, csi } = volume;
  return [
    azureFile?.secretName,
    secret?.secretName,
    csi?.nodePublishSecretRef?.name,
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef?.name),
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ];
}

function configMapsOf(spec: Spec): (string | undefined)[] {
  const ofContainers = containersOf(spec).flatMap(({ env, envFrom }) => [
    ...(envFrom ?? []).map(({ configMapRef }) => configMapRef?.name),
    ...(env ?? []).map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
  ]);
  const ofVolumes = (spec.volumes ?? []).flatMap(({ configMap, projected }) => [
    configMap?.name,
    ...(projected?.sources ?? []).map((source) => source.configMap?.name),
  ]);
  return [...ofContainers, ...ofVolumes];
}

function claimOf(pod: string, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod}-${name}`);
}

function resourceClaimsOf({ resourceClaims }: Spec, status: Pod['status'] | undefined): (string | undefined)[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map(({ name, resourceClaimName }) => [name, resourceClaimName]));
  const claims = (resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName ?? made.get(name));
  return [...claims, status?.extendedResourceClaimStatus?.resourceClaimName];
}

/** A volume is connected through its claim; the secrets that nodes need for it lie behind the volume. */
export function volumeEdges(object: KubernetesObject): Edge[] {
  const { metadata, spec } = object as unknown as PersistentVolume & KubernetesObject;
  if (spec.claimRef === undefined) return [];
  const { namespace = '', name = '' } = spec.claimRef;
  const volume = vertex('pv', '', metadata.name ?? '');
  const secrets = volumeSecrets(spec).flatMap((ref) => (ref?.name ? [vertex('secret', ref.namespace || namespace, ref.name)] : []));
  return [{ from: volume, to: vertex('pvc', namespace, name) }, ...[...new Set(secrets)].map((from) => ({ from, to: volume }))];
}

interface SecretRef {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Secrets that only controllers use are not among them. */
function volumeSecrets({ azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi }: PersistentVolume['spec']): (SecretRef | undefined)[] {
  return [
    azureFile && { name: azureFile.secretName, namespace: azureFile.secretNamespace },
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef as SecretRef | undefined),
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
  ];
}

/** VolumeAttachments, ResourceSlices and PodCertificateRequests name their node themselves. */
export function namedNodeEdges(kind: string): (object: KubernetesObject) => Edge[] {
  return ({ metadata, ...object }) => {
    const { nodeName } = (object['spec'] ?? {}) as { nodeName?: string };
    if (!nodeName) return [];
    return [{ from: vertex(kind, metadata.namespace ?? '', metadata.name ?? ''), to: vertex('node', '', nodeName) }];
  };
}

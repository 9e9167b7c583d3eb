// Which volumes of a pod a node must have attached before it can mount them: those of CSI drivers that do not say that they need no attaching,
// and those of iSCSI and Fibre Channel, which are attached by saying so.
import { createHash } from 'node:crypto';
import type { KubernetesObject } from '#api/object.ts';
import type { StoredPod } from '#controllers/volumes/claim-users.ts';
import type { StoredClaim, StoredVolume } from '#controllers/volumes/storage-objects.ts';
import type { CSIDriver } from '#kinds/storage/v1/csi-driver.ts';

export type StoredDriver = CSIDriver & KubernetesObject;

export interface AttachableVolume {
  /** As nodes tell it in `status.volumesAttached`. */
  readonly uniqueName: string;
  /** Of the PersistentVolume, or of the volume in the pod: what events call it. */
  readonly name: string;
  /** Attached by an external attacher, who is asked with a VolumeAttachment. */
  readonly csi?: { readonly driver: string; readonly handle: string; readonly persistentVolume: string };
  /** One node at a time. */
  readonly isExclusive: boolean;
}

export interface VolumeLookup {
  readonly claimNamed: (namespace: string, name: string) => StoredClaim | undefined;
  readonly volumeNamed: (name: string) => StoredVolume | undefined;
  readonly driverNamed: (name: string) => StoredDriver | undefined;
}

export type PodVolume = NonNullable<NonNullable<StoredPod['spec']>['volumes']>[number];

/** Whether it comes to that depends on the claim. Every pod has a volume for the token of its service account: that is none. */
export function mayBeAttached({ persistentVolumeClaim, ephemeral, iscsi, fc }: PodVolume): boolean {
  return [persistentVolumeClaim, ephemeral, iscsi, fc].some((source) => source !== undefined);
}

export function attachableVolumesOf(pod: StoredPod, lookup: VolumeLookup): readonly AttachableVolume[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) => attachableVolume(pod, volume, lookup) ?? []);
}

function attachableVolume(pod: StoredPod, volume: PodVolume, lookup: VolumeLookup): AttachableVolume | undefined {
  const claimName = volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${pod.metadata.name}-${volume.name}` : undefined);
  if (claimName === undefined) return ofNetwork(volume, volume.name, false);
  const claim = lookup.claimNamed(pod.metadata.namespace ?? '', claimName);
  if (claim?.status?.phase !== 'Bound' || (volume.ephemeral && !isOwnedBy(claim, pod))) return undefined;
  const bound = lookup.volumeNamed(claim.spec.volumeName ?? '');
  return bound?.spec.claimRef?.uid === claim.metadata.uid && bound !== undefined ? attachablePersistent(bound, lookup) : undefined;
}

function isOwnedBy({ metadata }: StoredClaim, pod: StoredPod): boolean {
  return metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === pod.metadata.uid) === true;
}

export function attachablePersistent(volume: StoredVolume, { driverNamed }: Pick<VolumeLookup, 'driverNamed'>): AttachableVolume | undefined {
  const { name = '' } = volume.metadata;
  const { accessModes = [], csi } = volume.spec;
  const isExclusive = accessModes.length > 0 && !accessModes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
  if (csi === undefined) return ofNetwork(volume.spec, name, isExclusive);
  if (driverNamed(csi.driver)?.spec.attachRequired === false) return undefined;
  const facts = { driver: csi.driver, handle: csi.volumeHandle, persistentVolume: name };
  return { uniqueName: `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`, name, csi: facts, isExclusive };
}

/** The sources of pods and of PersistentVolumes have the same fields here. */
interface NetworkSources {
  readonly iscsi?: { readonly targetPortal: string; readonly iqn: string; readonly lun: number } | undefined;
  readonly fc?:
    | { readonly targetWWNs?: readonly string[] | undefined; readonly lun?: number | undefined; readonly wwids?: readonly string[] | undefined }
    | undefined;
}

function ofNetwork({ iscsi, fc }: NetworkSources, name: string, isExclusive: boolean): AttachableVolume | undefined {
  if (iscsi) return { uniqueName: `kubernetes.io/iscsi/${iscsi.targetPortal}:${iscsi.iqn}:${iscsi.lun}`, name, isExclusive };
  if (!fc) return undefined;
  const target = fc.targetWWNs?.length && fc.lun !== undefined ? `[${fc.targetWWNs.join(' ')}]:${fc.lun}` : `[${(fc.wwids ?? []).join(' ')}]`;
  return { uniqueName: `kubernetes.io/fc/${target}`, name, isExclusive };
}

/** The name under which attachers and kubelets look for it too. */
export function attachmentName({ driver, handle }: { readonly driver: string; readonly handle: string }, node: string): string {
  return `csi-${createHash('sha256').update(`${handle}${driver}${node}`).digest('hex')}`;
}

const csiPrefix = 'kubernetes.io/csi/';

/** Undefined: of no CSI driver. */
export function csiOfUniqueName(uniqueName: string): { readonly driver: string; readonly handle: string } | undefined {
  const cut = uniqueName.indexOf('^');
  if (!uniqueName.startsWith(csiPrefix) || cut < 0) return undefined;
  return { driver: uniqueName.slice(csiPrefix.length, cut), handle: uniqueName.slice(cut + 1) };
}

// What becomes of a volume whose claim is gone. Only objects are handled: nothing on a disk is ever touched, so the paths that the original
// would empty or remove count as empty and removed.
import type { RestClient } from '#client/rest-client.ts';
import { kinds } from '#client/kinds.ts';
import { unlessGone } from '#controllers/controller.ts';
import type { BindingWrites } from '#controllers/volumes/binder/binding-writes.ts';
import { hasAnnotation, storageAnnotations, type StoredVolume } from '#controllers/volumes/storage-objects.ts';

export const inTreeFinalizer = 'kubernetes.io/pv-controller';

export interface Reclaiming {
  readonly client: RestClient;
  readonly writes: BindingWrites;
  /** Does nobody hold the volume by now? */
  readonly isReleased: (volume: StoredVolume) => boolean;
  /** Of pods that have not ended and name the claim. */
  readonly usersOf: (volume: StoredVolume) => readonly string[];
  readonly tell: (volume: StoredVolume, type: 'Normal' | 'Warning', reason: string, message: string) => void;
}

export async function reclaimVolume(parts: Reclaiming, volume: StoredVolume): Promise<void> {
  if (volume.metadata.annotations?.[storageAnnotations.migratedTo]) return;
  switch (volume.spec.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return;
    case 'Recycle':
      return await recycle(parts, volume);
    case 'Delete':
      return await remove(parts, volume);
    default:
      return await fail(parts, volume, 'VolumeUnknownReclaimPolicy', 'Volume has unrecognized PersistentVolumeReclaimPolicy');
  }
}

async function recycle(parts: Reclaiming, volume: StoredVolume): Promise<void> {
  const current = await parts.client.find<StoredVolume>(kinds.persistentVolumes, '', volume.metadata.name ?? '');
  if (current === undefined || !parts.isReleased(current)) return;
  const users = parts.usersOf(current);
  if (users.length > 0) return parts.tell(volume, 'Normal', 'VolumeFailedRecycle', `Volume is used by pods: ${users.join(',')}`);
  if (!current.spec.hostPath && !current.spec.nfs) return await fail(parts, current, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
  parts.tell(current, 'Normal', 'VolumeRecycled', 'Volume recycled');
  await parts.writes.unbind(current);
}

async function remove(parts: Reclaiming, volume: StoredVolume): Promise<void> {
  const deleter = deleterOf(volume);
  if (deleter.is === 'external') return;
  if (deleter.is === 'none') return await fail(parts, volume, 'VolumeFailedDelete', deleter.why);
  const current = await parts.client.find<StoredVolume>(kinds.persistentVolumes, '', volume.metadata.name ?? '');
  if (current === undefined || !parts.isReleased(current)) return;
  const path = current.spec.hostPath?.path ?? '';
  if (!/\/tmp\/.+/.test(path)) return await fail(parts, current, 'VolumeFailedDelete', `host_path deleter only supports /tmp/.+ but received provided ${path}`);
  const { finalizers = [] } = current.metadata;
  if (finalizers.includes(inTreeFinalizer)) {
    await parts.writes.volume({ ...current, metadata: { ...current.metadata, finalizers: finalizers.filter((one) => one !== inTreeFinalizer) } });
  }
  await unlessGone(parts.client.delete(kinds.persistentVolumes, '', current.metadata.name ?? ''));
}

type Deleter = { readonly is: 'own' } | { readonly is: 'external' } | { readonly is: 'none'; readonly why: string };

/** Plugins that the original's controller still has: the host path deletes, NFS only recycles. */
function deleterOf(volume: StoredVolume): Deleter {
  const provisioner = volume.metadata.annotations?.[storageAnnotations.provisionedBy];
  if (provisioner) {
    if (provisioner === 'kubernetes.io/host-path') return { is: 'own' };
    if (!provisioner.startsWith('kubernetes.io/')) return { is: 'external' };
    return { is: 'none', why: provisioner === 'kubernetes.io/nfs' ? noDeleter : `no volume plugin matched name: ${provisioner}` };
  }
  if (volume.spec.csi || hasAnnotation(volume, storageAnnotations.migratedTo)) return { is: 'external' };
  if (volume.spec.hostPath) return { is: 'own' };
  const why = volume.spec.nfs ? noDeleter : 'no volume plugin matched';
  return { is: 'none', why: `error getting deleter volume plugin for volume ${JSON.stringify(volume.metadata.name)}: ${why}` };
}

const noDeleter = 'no deletable volume plugin matched';

async function fail({ writes, tell }: Reclaiming, volume: StoredVolume, reason: string, message: string): Promise<void> {
  if (volume.status?.phase === 'Failed') return;
  tell(await writes.volumePhase(volume, 'Failed', message), 'Warning', reason, message);
}

// What the binder keeps right on every volume that was provisioned: which driver has taken over from its plugin, and the finalizer that lets
// the object go only after its storage.
import { inTreeFinalizer } from '#controllers/volumes/binder/reclaim-volume.ts';
import { migratedDriverOf, storageAnnotations, type StoredClaim, type StoredVolume, withMigration } from '#controllers/volumes/storage-objects.ts';

const externalFinalizer = 'external-provisioner.volume.kubernetes.io/finalizer';

/** Undefined: nothing is to be changed. */
export function volumeUpkeep(volume: StoredVolume): StoredVolume | undefined {
  const { annotations = {}, finalizers = [] } = volume.metadata;
  const provisioner = annotations[storageAnnotations.provisionedBy];
  if (provisioner === undefined) return undefined;
  const nextAnnotations = withMigration(annotations, provisioner);
  const nextFinalizers = finalizersOf(volume, provisioner, finalizers);
  if (nextAnnotations === annotations && nextFinalizers.length === finalizers.length) return undefined;
  return { ...volume, metadata: { ...volume.metadata, annotations: { ...nextAnnotations }, finalizers: [...nextFinalizers] } };
}

/** Undefined: nothing is to be changed. */
export function claimUpkeep(claim: StoredClaim): StoredClaim | undefined {
  const { annotations = {} } = claim.metadata;
  const provisioner = annotations[storageAnnotations.provisioner] ?? annotations[storageAnnotations.betaProvisioner];
  const next = provisioner === undefined ? annotations : withMigration(annotations, provisioner);
  return next === annotations ? undefined : { ...claim, metadata: { ...claim.metadata, annotations: { ...next } } };
}

function finalizersOf({ spec }: StoredVolume, provisioner: string, finalizers: readonly string[]): readonly string[] {
  const without = (finalizer: string, all: readonly string[]) => all.filter((other) => other !== finalizer);
  if (migratedDriverOf(provisioner) !== undefined) return without(inTreeFinalizer, finalizers);
  if (!provisioner.startsWith('kubernetes.io/')) return finalizers;
  const own = without(externalFinalizer, finalizers);
  if (spec.persistentVolumeReclaimPolicy !== 'Delete') return without(inTreeFinalizer, own);
  return own.includes(inTreeFinalizer) ? own : [...own, inTreeFinalizer];
}

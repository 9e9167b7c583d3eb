// Cells of volumes and of claims for them.
import type { ObjectMeta } from '#api/object.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function modesCell(modes: readonly string[] = []): string {
  return shortModes.flatMap(([mode, short]) => (modes.includes(mode) ? [short] : [])).join(',');
}

function phaseCell(metadata: ObjectMeta, phase: string | undefined): string {
  return metadata.deletionTimestamp === undefined ? (phase ?? '') : 'Terminating';
}

/** An old annotation wins over the field. */
function classCell(metadata: ObjectMeta, name: string | undefined): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? name ?? '';
}

export const persistentVolumeColumns: readonly Column<PersistentVolume>[] = [
  nameColumn(),
  { name: 'Capacity', type: 'string', read: ({ spec }) => spec.capacity?.['storage'] ?? '0' },
  { name: 'Access Modes', type: 'string', read: ({ spec }) => modesCell(spec.accessModes) },
  { name: 'Reclaim Policy', type: 'string', read: ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '' },
  { name: 'Status', type: 'string', read: ({ metadata, status }) => phaseCell(metadata, status.phase) },
  { name: 'Claim', type: 'string', read: ({ spec: { claimRef } }) => (claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '') },
  { name: 'StorageClass', type: 'string', read: ({ metadata, spec }) => classCell(metadata, spec.storageClassName) },
  { name: 'VolumeAttributesClass', type: 'string', read: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>' },
  { name: 'Reason', type: 'string', read: ({ status }) => status.reason ?? '' },
  ageColumn(),
  { name: 'VolumeMode', type: 'string', priority: 1, read: ({ spec }) => spec.volumeMode ?? '<unset>' },
];

export const persistentVolumeClaimColumns: readonly Column<PersistentVolumeClaim>[] = [
  nameColumn(),
  { name: 'Status', type: 'string', read: ({ metadata, status }) => phaseCell(metadata, status.phase) },
  { name: 'Volume', type: 'string', read: ({ spec }) => spec.volumeName ?? '' },
  { name: 'Capacity', type: 'string', read: ({ spec, status }) => (spec.volumeName ? (status.capacity?.['storage'] ?? '0') : '') },
  { name: 'Access Modes', type: 'string', read: ({ spec, status }) => (spec.volumeName ? modesCell(status.accessModes) : '') },
  { name: 'StorageClass', type: 'string', read: ({ metadata, spec }) => classCell(metadata, spec.storageClassName) },
  { name: 'VolumeAttributesClass', type: 'string', read: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>' },
  ageColumn(),
  { name: 'VolumeMode', type: 'string', priority: 1, read: ({ spec }) => spec.volumeMode ?? '<unset>' },
];

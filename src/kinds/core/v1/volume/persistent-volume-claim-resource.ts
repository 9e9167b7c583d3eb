import { defaultClaimStatus, persistentVolumeClaimStrategy } from '#kinds/core/v1/volume/persistent-volume-claim-strategy.ts';
import { PersistentVolumeClaim, PersistentVolumeClaimList, PersistentVolumeClaimStatus } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import { persistentVolumeClaimColumns } from '#kinds/core/v1/volume/persistent-volume-columns.ts';
import { claimSpecDefaults } from '#kinds/core/v1/volume/volume-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const persistentvolumeclaims = defineResource<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  singular: 'persistentvolumeclaim',
  namespaced: true,
  strategy: persistentVolumeClaimStrategy,
  columns: persistentVolumeClaimColumns,
  schema: PersistentVolumeClaim,
  defaults: [...claimSpecDefaults, defaultsOf(PersistentVolumeClaimStatus, defaultClaimStatus)],
  list: PersistentVolumeClaimList,
  shortNames: ['pvc'],
  storage: { version: 'v1', prefix: 'persistentvolumeclaims', hash: 'QWTyNDq0dC4=' },
  lifecycle: { introduced: '1.0' },
  subresources: [{ name: 'status', kind: 'PersistentVolumeClaim', verbs: ['get', 'patch', 'update'] }],
});

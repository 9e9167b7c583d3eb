// Volumes and devices, and the claims for them.
import type { Registrations } from '#app/loops/registration.ts';

export const storageControllers: Registrations = {
  'ephemeral-volume-controller': {
    account: 'ephemeral-volume-controller',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildEphemeralVolumes,
  },
  'persistentvolume-attach-detach-controller': {
    account: 'attachdetach-controller',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildAttachDetach,
  },
  'persistentvolume-binder-controller': {
    account: 'persistent-volume-binder',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildVolumeBinder,
  },
  'persistentvolume-expander-controller': {
    account: 'expand-controller',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildClaimExpansion,
  },
  'resourceclaim-controller': {
    account: 'resource-claim-controller',
    load: async () => (await import('#app/loops/registered/resource-claims.ts')).buildResourceClaims,
  },
  'volumeattributesclass-protection-controller': {
    account: 'volumeattributesclass-protection-controller',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildAttributesClassProtection,
  },
};

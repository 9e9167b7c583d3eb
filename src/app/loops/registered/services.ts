// Endpoints of Services, and what guards pods and volumes and clears finished Jobs away.
import type { Registrations } from '#app/loops/registration.ts';

export const serviceControllers: Registrations = {
  'disruption-controller': {
    account: 'disruption-controller',
    load: async () => (await import('#app/loops/registered/disruption.ts')).buildDisruptionController,
  },
  'endpoints-controller': {
    account: 'endpoint-controller',
    load: async () => (await import('#app/loops/registered/endpoints.ts')).buildEndpointsController,
  },
  'endpointslice-controller': {
    account: 'endpointslice-controller',
    load: async () => (await import('#app/loops/registered/endpoints.ts')).buildEndpointSliceController,
  },
  'endpointslice-mirroring-controller': {
    account: 'endpointslicemirroring-controller',
    load: async () => (await import('#app/loops/registered/endpoints.ts')).buildEndpointSliceMirroring,
  },
  'persistentvolume-protection-controller': {
    account: 'pv-protection-controller',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildVolumeProtection,
  },
  'persistentvolumeclaim-protection-controller': {
    account: 'pvc-protection-controller',
    load: async () => (await import('#app/loops/registered/volumes.ts')).buildClaimProtection,
  },
  'ttl-after-finished-controller': {
    account: 'ttl-after-finished-controller',
    load: async () => (await import('#app/loops/registered/finished-jobs.ts')).buildFinishedJobs,
  },
};

// Endpoints of Services and what guards pods, volumes and finished jobs.
import type { Registrations } from '#app/loops/registration.ts';

export const serviceControllers: Registrations = {
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
};

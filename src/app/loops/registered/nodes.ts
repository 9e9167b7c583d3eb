// What becomes of nodes that fall silent or go, and of their pods.
import type { Registrations } from '#app/loops/registration.ts';

export const nodeControllers: Registrations = {
  'node-ipam-controller': {
    account: 'node-controller',
    load: async () => (await import('#app/loops/registered/node-builders.ts')).buildNodeIpam,
  },
  'node-lifecycle-controller': {
    account: 'node-controller',
    load: async () => (await import('#app/loops/registered/node-builders.ts')).buildNodeLifecycle,
  },
  'pod-garbage-collector-controller': {
    account: 'pod-garbage-collector',
    load: async () => (await import('#app/loops/registered/node-builders.ts')).buildPodGarbage,
  },
  'taint-eviction-controller': {
    account: 'node-controller',
    load: async () => (await import('#app/loops/registered/node-builders.ts')).buildTaintEviction,
  },
  'ttl-controller': {
    account: 'ttl-controller',
    load: async () => (await import('#app/loops/registered/node-builders.ts')).buildTtlController,
  },
};

// What makes pods of workloads.
import type { Registrations } from '#app/loops/registration.ts';

export const workloadControllers: Registrations = {
  'daemonset-controller': {
    account: 'daemon-set-controller',
    load: async () => (await import('#app/loops/registered/daemon-sets.ts')).buildDaemonSetController,
  },
  'deployment-controller': {
    account: 'deployment-controller',
    load: async () => (await import('#app/loops/registered/replicas.ts')).buildDeploymentController,
  },
  'replicaset-controller': {
    account: 'replicaset-controller',
    load: async () => (await import('#app/loops/registered/replicas.ts')).buildReplicaSetController,
  },
  'replicationcontroller-controller': {
    account: 'replication-controller',
    load: async () => (await import('#app/loops/registered/replicas.ts')).buildReplicationController,
  },
  'statefulset-controller': {
    account: 'statefulset-controller',
    load: async () => (await import('#app/loops/registered/stateful-sets.ts')).buildStatefulSetController,
  },
};

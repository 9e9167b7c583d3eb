import type { ResourceAddress } from '#client/rest-client.ts';
import type { Controller } from '#controllers/controller.ts';
import { replicaController, type ReplicaControllerOptions } from '#controllers/workloads/replicas/replica-controller.ts';

const replicationControllers: ResourceAddress & { readonly kind: string } = {
  group: '',
  version: 'v1',
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  namespaced: true,
};

export function replicationControllerController(options: ReplicaControllerOptions): Controller {
  return replicaController(options, {
    name: 'replicationcontroller-controller',
    kind: replicationControllers,
    component: 'replication-controller',
    selectorOf: ({ spec }) => ({ matchLabels: (spec as { selector?: Record<string, string> }).selector }),
    tellsTerminating: false,
    relatedPods: () => [],
  });
}

import type { LabelSelectorObject } from '#api/label-selector.ts';
import { kinds } from '#client/kinds.ts';
import type { Controller } from '#controllers/controller.ts';
import { controllerOf } from '#controllers/workloads/controlled-objects.ts';
import { controlledPods } from '#controllers/workloads/pod-view.ts';
import { controlledReplicaSets } from '#controllers/workloads/replica-set-view.ts';
import { replicaController, type ReplicaControllerOptions, type ReplicaOwner } from '#controllers/workloads/replicas/replica-controller.ts';

export function replicaSetController(options: ReplicaControllerOptions): Controller {
  const sets = controlledReplicaSets(options.sources);
  const pods = controlledPods(options.sources);
  return replicaController(options, {
    name: 'replicaset-controller',
    kind: kinds.replicaSets,
    component: 'replicaset-controller',
    selectorOf: ({ spec }) => (spec as { selector?: LabelSelectorObject }).selector,
    tellsTerminating: true,
    relatedPods: (owner: ReplicaOwner) => {
      const { uid } = controllerOf(owner.metadata) ?? {};
      return uid === undefined ? [] : sets.controlledBy(uid).flatMap((set) => pods.controlledBy(set.uid));
    },
    sources: [sets.keys(() => [])],
  });
}

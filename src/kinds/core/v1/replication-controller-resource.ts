import { replicationControllerColumns } from '#kinds/core/v1/replication-controller-columns.ts';
import { defaultReplicationController, replicationControllerStrategy } from '#kinds/core/v1/replication-controller-strategy.ts';
import { ReplicationController, ReplicationControllerList } from '#kinds/core/v1/replication-controller.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { defineResource, workloadScale } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const replicationcontrollers = defineResource<ReplicationController>({
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  singular: 'replicationcontroller',
  namespaced: true,
  schema: ReplicationController,
  defaults: [...podTemplateDefaults, defaultsOf(ReplicationController, defaultReplicationController)],
  list: ReplicationControllerList,
  shortNames: ['rc'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'controllers', hash: 'Jond2If31h0=' },
  lifecycle: { introduced: '1.0' },
  strategy: replicationControllerStrategy,
  columns: replicationControllerColumns,
  subresources: [
    { name: 'scale', kind: 'Scale', verbs: ['get', 'patch', 'update'], group: 'autoscaling', version: 'v1', scale: workloadScale },
    { name: 'status', kind: 'ReplicationController', verbs: ['get', 'patch', 'update'] },
  ],
});

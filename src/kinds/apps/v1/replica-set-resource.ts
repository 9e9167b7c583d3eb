import { replicaSetColumns } from '#kinds/apps/v1/replica-set-columns.ts';
import { defaultReplicaSet, replicaSetStrategy } from '#kinds/apps/v1/replica-set-strategy.ts';
import { ReplicaSet, ReplicaSetList } from '#kinds/apps/v1/replica-set.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { defineResource, workloadScale } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const replicasets = defineResource<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  singular: 'replicaset',
  namespaced: true,
  schema: ReplicaSet,
  defaults: [...podTemplateDefaults, defaultsOf(ReplicaSet, defaultReplicaSet)],
  list: ReplicaSetList,
  shortNames: ['rs'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'replicasets', hash: 'P1RzHs8/mWQ=' },
  lifecycle: { introduced: '1.9' },
  blank: { spec: { replicas: 0 } },
  strategy: replicaSetStrategy,
  columns: replicaSetColumns,
  subresources: [
    { name: 'scale', kind: 'Scale', verbs: ['get', 'patch', 'update'], group: 'autoscaling', version: 'v1', scale: workloadScale },
    { name: 'status', kind: 'ReplicaSet', verbs: ['get', 'patch', 'update'] },
  ],
});

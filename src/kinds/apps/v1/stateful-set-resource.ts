import { statefulSetColumns } from '#kinds/apps/v1/stateful-set-columns.ts';
import { statefulSetStrategy } from '#kinds/apps/v1/stateful-set-strategy.ts';
import { StatefulSet, StatefulSetList } from '#kinds/apps/v1/stateful-set.ts';
import { defineResource, workloadScale } from '#resource/definition.ts';

export const statefulsets = defineResource<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  singular: 'statefulset',
  namespaced: true,
  schema: StatefulSet,
  list: StatefulSetList,
  shortNames: ['sts'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'statefulsets', hash: 'H+vl74LkKdo=' },
  lifecycle: { introduced: '1.9' },
  blank: { spec: { replicas: 0 } },
  strategy: statefulSetStrategy,
  columns: statefulSetColumns,
  subresources: [
    { name: 'scale', kind: 'Scale', verbs: ['get', 'patch', 'update'], group: 'autoscaling', version: 'v1', scale: workloadScale },
    { name: 'status', kind: 'StatefulSet', verbs: ['get', 'patch', 'update'] },
  ],
});

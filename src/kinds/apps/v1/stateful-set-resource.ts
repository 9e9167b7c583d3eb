import { statefulSetColumns } from '#kinds/apps/v1/stateful-set-columns.ts';
import { defaultStatefulSet, statefulSetStrategy } from '#kinds/apps/v1/stateful-set-strategy.ts';
import { StatefulSet, StatefulSetList } from '#kinds/apps/v1/stateful-set.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { PersistentVolumeClaimStatus } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import { defaultClaimStatus } from '#kinds/core/v1/volume/persistent-volume-claim-strategy.ts';
import { defineResource, workloadScale } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const statefulsets = defineResource<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  singular: 'statefulset',
  namespaced: true,
  schema: StatefulSet,
  defaults: [...podTemplateDefaults, defaultsOf(StatefulSet, defaultStatefulSet), defaultsOf(PersistentVolumeClaimStatus, defaultClaimStatus)],
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

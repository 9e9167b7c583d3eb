import { PodGroup, PodGroupList } from '#kinds/scheduling/v1alpha2/pod-group.ts';
import { podGroupColumns, podGroupStrategy } from '#kinds/scheduling/v1alpha2/workload-strategy.ts';
import { defineResource } from '#resource/definition.ts';

export const podgroups = defineResource<PodGroup>({
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  kind: 'PodGroup',
  plural: 'podgroups',
  singular: 'podgroup',
  namespaced: true,
  strategy: podGroupStrategy,
  columns: podGroupColumns,
  schema: PodGroup,
  list: PodGroupList,
  storage: { version: 'v1alpha2', prefix: 'podgroups', hash: 'YYgX3v5V204=' },
  enabled: false,
  featureGate: 'GenericWorkload',
  subresources: [{ name: 'status', kind: 'PodGroup', verbs: ['get', 'patch', 'update'], featureGate: 'GenericWorkload', tables: false }],
});

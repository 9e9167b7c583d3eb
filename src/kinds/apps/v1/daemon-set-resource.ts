import { daemonSetColumns } from '#kinds/apps/v1/daemon-set-columns.ts';
import { daemonSetStrategy, templateGenerationKey } from '#kinds/apps/v1/daemon-set-strategy.ts';
import { DaemonSet, DaemonSetList } from '#kinds/apps/v1/daemon-set.ts';
import { defineResource } from '#resource/definition.ts';

export const daemonsets = defineResource<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  singular: 'daemonset',
  namespaced: true,
  schema: DaemonSet,
  list: DaemonSetList,
  shortNames: ['ds'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'daemonsets', hash: 'dd7pWHUlMKQ=' },
  lifecycle: { introduced: '1.9' },
  blank: { metadata: { annotations: { [templateGenerationKey]: '0' } } },
  fieldAnnotations: [templateGenerationKey],
  strategy: daemonSetStrategy,
  columns: daemonSetColumns,
  subresources: [{ name: 'status', kind: 'DaemonSet', verbs: ['get', 'patch', 'update'] }],
});

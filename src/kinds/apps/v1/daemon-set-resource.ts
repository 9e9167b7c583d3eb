import { daemonSetColumns } from '#kinds/apps/v1/daemon-set-columns.ts';
import { daemonSetStrategy, defaultDaemonSet, templateGenerationKey } from '#kinds/apps/v1/daemon-set-strategy.ts';
import { DaemonSet, DaemonSetList } from '#kinds/apps/v1/daemon-set.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const daemonsets = defineResource<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  singular: 'daemonset',
  namespaced: true,
  schema: DaemonSet,
  defaults: [...podTemplateDefaults, defaultsOf(DaemonSet, defaultDaemonSet)],
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

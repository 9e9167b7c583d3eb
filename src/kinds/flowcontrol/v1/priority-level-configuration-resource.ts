import { priorityLevelColumns, priorityLevelStrategy } from '#kinds/flowcontrol/v1/priority-level-configuration-strategy.ts';
import {
  PriorityLevelConfiguration,
  PriorityLevelConfigurationList,
  PriorityLevelConfigurationSpec,
} from '#kinds/flowcontrol/v1/priority-level-configuration.ts';
import { defineResource } from '#resource/definition.ts';

export const prioritylevelconfigurations = defineResource<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  plural: 'prioritylevelconfigurations',
  singular: 'prioritylevelconfiguration',
  namespaced: false,
  strategy: priorityLevelStrategy(() => PriorityLevelConfigurationSpec),
  columns: priorityLevelColumns,
  schema: PriorityLevelConfiguration,
  list: PriorityLevelConfigurationList,
  storage: { version: 'v1', prefix: 'prioritylevelconfigurations', hash: 'Kir5PVfvNeI=' },
  lifecycle: { introduced: '1.29' },
  subresources: [{ name: 'status', kind: 'PriorityLevelConfiguration', verbs: ['get', 'patch', 'update'] }],
});

import {
  defaultExempt,
  defaultLimited,
  defaultQueuing,
  priorityLevelColumns,
  priorityLevelStrategy,
} from '#kinds/flowcontrol/v1/priority-level-configuration-strategy.ts';
import {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationList,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '#kinds/flowcontrol/v1/priority-level-configuration.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

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
  defaults: [
    defaultsOf(ExemptPriorityLevelConfiguration, defaultExempt),
    defaultsOf(LimitedPriorityLevelConfiguration, defaultLimited),
    defaultsOf(QueuingConfiguration, defaultQueuing),
  ],
  list: PriorityLevelConfigurationList,
  storage: { version: 'v1', prefix: 'prioritylevelconfigurations', hash: 'Kir5PVfvNeI=' },
  lifecycle: { introduced: '1.29' },
  subresources: [{ name: 'status', kind: 'PriorityLevelConfiguration', verbs: ['get', 'patch', 'update'] }],
});

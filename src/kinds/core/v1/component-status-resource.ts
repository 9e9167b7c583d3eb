import { componentStatusColumns, componentStatusStrategy } from '#kinds/core/v1/component-status-strategy.ts';
import { ComponentStatus, ComponentStatusList } from '#kinds/core/v1/component-status.ts';
import { defineResource } from '#resource/definition.ts';

export const componentstatuses = defineResource<ComponentStatus>({
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  plural: 'componentstatuses',
  singular: 'componentstatus',
  namespaced: false,
  strategy: componentStatusStrategy,
  columns: componentStatusColumns,
  schema: ComponentStatus,
  list: ComponentStatusList,
  shortNames: ['cs'],
  verbs: ['get', 'list'],
  lifecycle: { introduced: '1.0', deprecated: '1.19' },
});

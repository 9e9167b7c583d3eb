import { defaultPriorityClass, priorityClassColumns, priorityClassStrategy } from '#kinds/scheduling/v1/priority-class-strategy.ts';
import { PriorityClass, PriorityClassList } from '#kinds/scheduling/v1/priority-class.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const priorityclasses = defineResource<PriorityClass>({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  singular: 'priorityclass',
  namespaced: false,
  strategy: priorityClassStrategy,
  columns: priorityClassColumns,
  schema: PriorityClass,
  defaults: [defaultsOf(PriorityClass, defaultPriorityClass)],
  list: PriorityClassList,
  shortNames: ['pc'],
  storage: { version: 'v1', prefix: 'priorityclasses', hash: '1QwjyaZjj3Y=' },
  lifecycle: { introduced: '1.14' },
});

import { disruptionBudgetColumns, disruptionBudgetStrategy } from '#kinds/policy/v1/pod-disruption-budget-strategy.ts';
import { PodDisruptionBudget, PodDisruptionBudgetList } from '#kinds/policy/v1/pod-disruption-budget.ts';
import { defineResource } from '#resource/definition.ts';

export const poddisruptionbudgets = defineResource<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  singular: 'poddisruptionbudget',
  namespaced: true,
  strategy: disruptionBudgetStrategy,
  columns: disruptionBudgetColumns,
  schema: PodDisruptionBudget,
  list: PodDisruptionBudgetList,
  shortNames: ['pdb'],
  storage: { version: 'v1', prefix: 'poddisruptionbudgets', hash: 'EVWiDmWqyJw=' },
  lifecycle: { introduced: '1.21' },
  subresources: [{ name: 'status', kind: 'PodDisruptionBudget', verbs: ['get', 'patch', 'update'] }],
});

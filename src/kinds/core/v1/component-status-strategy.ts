import type { ComponentCondition, ComponentStatus } from '#kinds/core/v1/component-status.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

function healthOf({ conditions = [] }: ComponentStatus): ComponentCondition | undefined {
  return conditions.find(({ type }) => type === 'Healthy');
}

function statusCell(component: ComponentStatus): string {
  const health = healthOf(component);
  if (health === undefined) return 'Unknown';
  return health.status === 'True' ? 'Healthy' : 'Unhealthy';
}

export const componentStatusStrategy: Strategy<ComponentStatus> = {
  compute: async ({ components }) => ((await components?.()) ?? []) as unknown as readonly ComponentStatus[],
};

export const componentStatusColumns: readonly Column<ComponentStatus>[] = [
  nameColumn(),
  { name: 'Status', type: 'string', read: statusCell },
  { name: 'Message', type: 'string', read: (component) => healthOf(component)?.message ?? '' },
  { name: 'Error', type: 'string', read: (component) => healthOf(component)?.error ?? '' },
];

// What people see of a question about resource pools and its answer.
import type { ResourcePoolStatusRequest } from '#kinds/resource/v1alpha3/resource-pool-status-request.ts';
import { ageOf } from '#kinds/rules/age.ts';
import { nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

type Pool = NonNullable<NonNullable<ResourcePoolStatusRequest['status']>['pools']>[number];

export const statusRequestColumns: readonly Column<ResourcePoolStatusRequest>[] = [
  nameColumn(),
  { name: 'Driver', type: 'string', read: ({ spec }) => spec.driver },
  sumColumn('Total', ({ totalDevices = 0 }) => totalDevices),
  sumColumn('Available', ({ availableDevices = 0 }) => availableDevices),
  sumColumn('Allocated', ({ allocatedDevices = 0 }) => allocatedDevices),
  sumColumn('Unavailable', ({ unavailableDevices = 0 }) => unavailableDevices),
  sumColumn('Errors', ({ validationError }) => (validationError === undefined ? 0 : 1)),
  { name: 'Pools', type: 'integer', read: ({ status }) => status?.poolCount ?? 0 },
  { name: 'Status', type: 'string', read: outcomeCell },
  {
    name: 'Completed',
    type: 'string',
    read(request, context) {
      const outcome = outcomeOf(request);
      return outcome?.type === 'Complete' ? ageOf(outcome.lastTransitionTime, context) : '<none>';
    },
  },
];

/** Nothing is summed up without an answer, or when it failed. */
function sumColumn(name: string, count: (pool: Pool) => number): Column<ResourcePoolStatusRequest> {
  return {
    name,
    type: 'string',
    read(request) {
      if (request.status === undefined || outcomeOf(request)?.type === 'Failed') return '-';
      return String((request.status.pools ?? []).reduce((sum, pool) => sum + count(pool), 0));
    },
  };
}

function outcomeOf({ status }: ResourcePoolStatusRequest): { readonly type: string; readonly lastTransitionTime?: string | undefined } | undefined {
  return status?.conditions?.find((condition) => condition.status === 'True' && ['Complete', 'Failed'].includes(condition.type));
}

function outcomeCell(request: ResourcePoolStatusRequest): string {
  const { type = 'Pending' } = outcomeOf(request) ?? {};
  const listed = request.status?.pools?.length ?? 0;
  const all = request.status?.poolCount ?? 0;
  return type === 'Complete' && all > listed ? `Complete (${listed}/${all} pools)` : type;
}

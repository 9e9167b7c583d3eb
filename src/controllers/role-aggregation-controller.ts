// Keeps admin, edit, view and other aggregating ClusterRoles filled with the rules of the roles they select.
import type { Log } from '#base/log.ts';
import { keyOf, type ObjectReader } from '#client/object-store.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { follow } from '#controllers/follow.ts';
import { type ClusterRole, missingAggregation } from '#controllers/role-aggregation-reconcile.ts';

const clusterRoles: ResourceAddress = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', namespaced: false };
const fieldManager = 'clusterrole-aggregation-controller';

export interface RoleAggregationOptions {
  readonly client: RestClient;
  readonly log: Log;
  readonly random: () => number;
}

/** Until `signal` aborts. Any role may be selected by any other that aggregates. */
export function runRoleAggregation(options: RoleAggregationOptions, signal: AbortSignal): Promise<void> {
  const affects = (_: ClusterRole, all: ObjectReader<ClusterRole>) => all.list().filter(isAggregating).map(keyOf);
  return follow<ClusterRole>({ ...options, resource: clusterRoles, affects, reconcile: (role, _, all) => aggregate(options.client, role, all) }, signal);
}

function isAggregating({ aggregationRule }: ClusterRole): boolean {
  return aggregationRule !== undefined;
}

async function aggregate(client: RestClient, role: ClusterRole | undefined, all: ObjectReader<ClusterRole>): Promise<void> {
  const rules = role && missingAggregation(role, all.list());
  if (rules === undefined) return;
  const wanted = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: role?.metadata.name ?? '' }, rules };
  await client.apply(clusterRoles, wanted, { fieldManager, force: true });
}

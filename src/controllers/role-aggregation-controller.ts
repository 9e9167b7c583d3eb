// Keeps admin, edit, view and other aggregating ClusterRoles filled with the rules of the roles they select.
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { type ClusterRole, missingAggregation } from '#controllers/role-aggregation-reconcile.ts';

const clusterRoles: ResourceAddress = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', namespaced: false };
const name = 'clusterrole-aggregation-controller';

export interface RoleAggregationOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

/** Any role may be selected by any other that aggregates. */
export function roleAggregation({ client, sources, ...parts }: RoleAggregationOptions): Controller {
  const roles = sources.of<ClusterRole>(clusterRoles);
  const aggregating = () =>
    roles
      .list()
      .filter(({ object }) => object.aggregationRule !== undefined)
      .map(sourceKey);
  return controller({
    ...parts,
    name: 'ClusterRoleAggregator',
    sources: [keysOf(roles, aggregating)],
    reconcile: (key) => aggregate(client, roles, splitKey(key).name),
  });
}

async function aggregate(client: RestClient, roles: Source<ClusterRole>, role: string): Promise<void> {
  const current = roles.get('', role)?.object;
  const rules =
    current &&
    missingAggregation(
      current,
      roles.list().map(({ object }) => object),
    );
  if (rules === undefined) return;
  const wanted = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: role }, rules };
  await client.apply(clusterRoles, wanted, { fieldManager: name, force: true });
}

// Keeps admin, edit, view and other aggregating ClusterRoles filled with the rules of the roles they select.
import { exponentialBackoff } from '#base/backoff.ts';
import type { Log } from '#base/log.ts';
import { Reflector } from '#client/reflector.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type ClusterRole, missingAggregation } from '#controllers/role-aggregation-reconcile.ts';

const clusterRoles: ResourceAddress = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', namespaced: false };
const manager = 'clusterrole-aggregation-controller';

export interface RoleAggregationOptions {
  readonly client: RestClient;
  readonly log: Log;
  readonly random: () => number;
}

/** Until `signal` aborts. */
export async function runRoleAggregation({ client, log, random }: RoleAggregationOptions, signal: AbortSignal): Promise<void> {
  const roles = new Map<string, ClusterRole>();
  const changes = new Wakeup();
  const backoff = exponentialBackoff({ firstMs: 50, maxMs: 30_000, random });
  const keep = (role: ClusterRole) => roles.set(role.metadata.name ?? '', role);
  const sink = {
    replace: (all: readonly ClusterRole[]) => {
      roles.clear();
      all.forEach(keep);
      changes.call();
    },
    upsert: (role: ClusterRole) => {
      keep(role);
      changes.call();
    },
    remove: (role: ClusterRole) => {
      roles.delete(role.metadata.name ?? '');
      changes.call();
    },
  };
  const reflector = new Reflector<ClusterRole>({ client, resource: clusterRoles, sink, backoff: exponentialBackoff({ firstMs: 50, maxMs: 30_000, random }) });
  const reflecting = reflector.run(signal);
  signal.addEventListener('abort', () => changes.call(), { once: true });
  while (!signal.aborted) {
    await changes.wait();
    try {
      await aggregateAll(client, roles, signal);
      backoff.reset();
    } catch (error) {
      if (signal.aborted) break;
      log.warn('cluster roles could not be aggregated', { error: String(error) });
      await backoff.wait(signal);
      changes.call();
    }
  }
  await reflecting;
}

async function aggregateAll(client: RestClient, roles: ReadonlyMap<string, ClusterRole>, signal: AbortSignal): Promise<void> {
  for (const [name, role] of roles) {
    const rules = signal.aborted ? undefined : missingAggregation(role, roles.values());
    if (rules === undefined) continue;
    const wanted = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules };
    await client.patch(clusterRoles, { namespace: '', name }, 'application/apply-patch+yaml', wanted, { fieldManager: manager, force: true });
  }
}

/** Calls that come while nobody waits count once. */
class Wakeup {
  #called = false;
  #wake: (() => void) | undefined;

  call(): void {
    this.#called = true;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    if (!this.#called) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#called = false;
  }
}

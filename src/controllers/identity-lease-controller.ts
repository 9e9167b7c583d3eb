// Deletes the identity leases of API servers that are gone.
import type { KubernetesObject } from '#api/object.ts';
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import type { Lease } from '#kinds/coordination/v1/lease.ts';

export interface IdentityLeaseOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

type StoredLease = Lease & KubernetesObject;

const identityLabel = 'apiserver.kubernetes.io/identity';
/** The original looks once an hour: a server that was only slow to renew gets its lease back in time. */
const lookEveryMs = 3_600_000;

export function identityLeases(options: IdentityLeaseOptions): Controller {
  const { client, clock } = options;
  const leases = options.sources.of<StoredLease>(kinds.leases);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const lease = leases.get(namespace, name)?.object;
    if (lease === undefined) return;
    if (clock.now().getTime() <= endOf(lease)) return { againMs: lookEveryMs };
    const live = await client.find<StoredLease>(kinds.leases, namespace, name);
    if (live === undefined || clock.now().getTime() <= endOf(live)) return;
    const { uid, resourceVersion } = live.metadata;
    await unlessOvertaken(client.delete(kinds.leases, namespace, name, { preconditions: { uid, resourceVersion } }));
  };
  // Every server renews its lease all the time: only what comes or goes is told, the rest is looked at by the hour.
  const sources = [
    keysOf(leases, (item, type) => {
      const isIdentity = type !== 'MODIFIED' && item.namespace === 'kube-system' && item.object.metadata.labels?.[identityLabel] === 'kube-apiserver';
      return isIdentity ? [sourceKey(item)] : [];
    }),
  ];
  return controller({ ...options, name: 'apiserver-lease-garbage-collector', sources, reconcile });
}

/** A lease that does not say how long it holds has ended. */
function endOf({ spec }: StoredLease): number {
  const { renewTime, leaseDurationSeconds } = spec ?? {};
  return renewTime === undefined || leaseDurationSeconds === undefined ? -Infinity : Date.parse(renewTime) + leaseDurationSeconds * 1_000;
}

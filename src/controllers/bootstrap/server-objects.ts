// What this server tells others about itself: its certificates authorities, its group-versions, its identity.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { kinds } from '#client/kinds.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { LocalGroupVersion } from '#controllers/api-service-registration-controller.ts';
import { type AuthenticationFacts, authenticationData, UnreadableAuthenticationError } from '#controllers/bootstrap/authentication-data.ts';
import { createUnlessThere, ensureAll, type Reconcile } from '#controllers/bootstrap/ensure.ts';
import type { ConfigMap } from '#kinds/core/v1/config-map.ts';

export interface ServerFacts extends AuthenticationFacts {
  /** Served from the start on. */
  readonly groupVersions: readonly LocalGroupVersion[];
  /** `apiserver-…`: the same for every start on this machine. */
  readonly identity: string;
  /** Another one for every start. */
  readonly instance: string;
  readonly hostname: string;
}

const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
const leases: ResourceAddress = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespaced: true };

const leaseSeconds = 3600;

export const authenticationMap = { namespace: 'kube-system', name: 'extension-apiserver-authentication' };

/** For extension servers: how requests are authenticated here. Throws UnreadableAuthenticationError. */
export async function publishAuthentication(client: RestClient, facts: AuthenticationFacts): Promise<void> {
  const { namespace, name } = authenticationMap;
  const stored = await client.find<ConfigMap & KubernetesObject>(kinds.configMaps, namespace, name);
  const data = authenticationData(stored?.data ?? {}, facts);
  if (stored === undefined) await createUnlessThere(client, configMaps, { kind: 'ConfigMap', metadata: authenticationMap, data });
  else if (!sameData(stored.data, data)) await client.update(configMaps, { ...stored, data } as KubernetesObject);
}

/** At the start: a ConfigMap that cannot be read is left to the loop that keeps it, which says so. */
export async function beginAuthentication(client: RestClient, facts: AuthenticationFacts): Promise<void> {
  try {
    await publishAuthentication(client, facts);
  } catch (error) {
    if (!(error instanceof UnreadableAuthenticationError)) throw error;
  }
}

function sameData(stored: unknown, wanted: unknown): boolean {
  const text = (data: unknown) => JSON.stringify(Object.entries((data ?? {}) as object).toSorted());
  return text(stored) === text(wanted);
}

/** Since when the use of legacy tokens is noted down. */
export async function startTokenTracking(client: RestClient, { now }: ServerFacts): Promise<void> {
  const metadata = { name: 'kube-apiserver-legacy-service-account-token-tracking', namespace: 'kube-system' };
  await ensureAll(client, configMaps, [{ kind: 'ConfigMap', metadata, data: { since: now().toISOString().slice(0, 10) } }]);
}

/** As often as the original's lease controller tries. */
const renewals = 5;

/** Takes the identity lease, or renews it. Servers of one machine share it: another one may be faster. */
export async function renewIdentity(client: RestClient, facts: ServerFacts): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await renewOnce(client, facts);
    } catch (error) {
      if (!(error instanceof ApiError && error.reason === 'Conflict') || attempt === renewals) throw error;
    }
  }
}

async function renewOnce(client: RestClient, { identity, instance, hostname, now }: ServerFacts): Promise<void> {
  const metadata = {
    name: identity,
    namespace: 'kube-system',
    labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver', 'kubernetes.io/hostname': hostname },
  };
  const spec = { holderIdentity: `${identity}_${instance}`, leaseDurationSeconds: leaseSeconds, renewTime: microTime(now()) };
  const renew: Reconcile = (stored) => ({ ...stored, spec: { ...(stored['spec'] as object), ...spec } });
  const wanted: KubernetesObject = { kind: 'Lease', metadata, spec };
  const { items } = await client.list(leases, 'kube-system', { fieldSelector: `metadata.name=${identity}` });
  const [stored] = items;
  if (stored === undefined) await createUnlessThere(client, leases, wanted);
  else await client.update(leases, renew(stored, wanted) as KubernetesObject);
}

function microTime(date: Date): string {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

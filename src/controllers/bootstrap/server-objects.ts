// What this server tells others about itself: its certificates authorities, its group-versions, its identity.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { LocalGroupVersion } from '#controllers/api-service-registration-controller.ts';
import { createUnlessThere, ensureAll, type Reconcile } from '#controllers/bootstrap/ensure.ts';

export interface ServerFacts {
  /** PEM, empty without one. */
  readonly clientCa: string;
  readonly requestHeader: RequestHeaderFacts;
  /** Served from the start on. */
  readonly groupVersions: readonly LocalGroupVersion[];
  /** `apiserver-…`: the same for every start on this machine. */
  readonly identity: string;
  /** Another one for every start. */
  readonly instance: string;
  readonly hostname: string;
  readonly now: () => Date;
}

export interface RequestHeaderFacts {
  readonly clientCa: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
const leases: ResourceAddress = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespaced: true };

const leaseSeconds = 3600;

/** For extension servers: how requests are authenticated here. */
export async function publishAuthentication(client: RestClient, facts: ServerFacts): Promise<void> {
  const wanted: KubernetesObject = {
    kind: 'ConfigMap',
    metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
    data: authenticationData(facts),
  };
  await ensureAll(client, configMaps, [wanted], (stored, next) => (sameData(stored['data'], next['data']) ? undefined : { ...stored, data: next['data'] }));
}

function authenticationData({ clientCa, requestHeader: header }: ServerFacts): Record<string, string> {
  if (header.clientCa === '') return clientCa === '' ? {} : { 'client-ca-file': clientCa };
  return {
    ...(clientCa !== '' && { 'client-ca-file': clientCa }),
    'requestheader-allowed-names': JSON.stringify(header.allowedNames),
    'requestheader-client-ca-file': header.clientCa,
    'requestheader-extra-headers-prefix': JSON.stringify(header.extraHeaderPrefixes),
    'requestheader-group-headers': JSON.stringify(header.groupHeaders),
    ...(header.uidHeaders.length > 0 && { 'requestheader-uid-headers': JSON.stringify(header.uidHeaders) }),
    'requestheader-username-headers': JSON.stringify(header.usernameHeaders),
  };
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

/** Takes the identity lease, and keeps it until `signal` aborts. */
export async function renewIdentity(client: RestClient, { identity, instance, hostname, now }: ServerFacts): Promise<void> {
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

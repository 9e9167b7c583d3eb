// What every namespace has: the service account `default`, and the authority that its pods trust.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Log } from '#base/log.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { createUnlessThere } from '#controllers/bootstrap/ensure.ts';
import { follow } from '#controllers/follow.ts';

const namespaces: ResourceAddress = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
const serviceAccounts: ResourceAddress = { group: '', version: 'v1', resource: 'serviceaccounts', namespaced: true };
const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };

const rootCaName = 'kube-root-ca.crt';

interface ControllerOptions {
  readonly client: RestClient;
  readonly log: Log;
  readonly random: () => number;
}

/** Follows namespaces, and the accounts themselves: one that is deleted comes back. */
export async function runServiceAccounts(options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const ensure = (namespace: string) => ensureIn(options.client, serviceAccounts, { kind: 'ServiceAccount', metadata: { name: 'default', namespace } });
  await Promise.all([
    follow(
      { ...options, resource: namespaces, reconcile: async (namespace) => (isActive(namespace) ? ensure(namespace?.metadata.name ?? '') : undefined) },
      signal,
    ),
    follow(
      {
        ...options,
        resource: serviceAccounts,
        fieldSelector: 'metadata.name=default',
        reconcile: async (account, key) => (account ? undefined : ensure(namespaceIn(key))),
      },
      signal,
    ),
  ]);
}

export async function runRootCaPublisher(options: ControllerOptions & { readonly rootCa: string }, signal: AbortSignal): Promise<void> {
  const { client, rootCa } = options;
  const data = { 'ca.crt': rootCa };
  const wanted = (namespace: string): KubernetesObject => ({
    kind: 'ConfigMap',
    metadata: { name: rootCaName, namespace, annotations: { 'kubernetes.io/description': 'The authority that signed the certificate of the API server.' } },
    data,
  });
  const repair = async (found: KubernetesObject | undefined, key: string): Promise<void> => {
    if (found === undefined) await ensureIn(client, configMaps, wanted(namespaceIn(key)));
    else if ((found['data'] as Record<string, string> | undefined)?.['ca.crt'] !== rootCa) await client.update(configMaps, { ...found, data });
  };
  await Promise.all([
    follow(
      {
        ...options,
        resource: namespaces,
        reconcile: async (namespace) => (isActive(namespace) ? ensureIn(client, configMaps, wanted(namespace?.metadata.name ?? '')) : undefined),
      },
      signal,
    ),
    follow({ ...options, resource: configMaps, fieldSelector: `metadata.name=${rootCaName}`, reconcile: repair }, signal),
  ]);
}

function isActive(namespace: KubernetesObject | undefined): boolean {
  return namespace !== undefined && namespace.metadata.deletionTimestamp === undefined;
}

function namespaceIn(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/** A namespace that is going, or gone, needs nothing any more. */
async function ensureIn(client: RestClient, resource: ResourceAddress, object: KubernetesObject): Promise<void> {
  try {
    await createUnlessThere(client, resource, object);
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 403))) throw error;
  }
}

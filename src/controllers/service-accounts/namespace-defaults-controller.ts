// What every namespace has: the service account `default`, and the authority that its pods trust. Each is made again when it goes.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { exponentialBuckets, type MetricSet } from '#base/metric-set.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { createUnlessThere } from '#controllers/bootstrap/ensure.ts';
import { type Controller, controller, type KeySource, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';

const namespaces: ResourceAddress = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
const serviceAccounts: ResourceAddress = { group: '', version: 'v1', resource: 'serviceaccounts', namespaced: true };
const configMaps: ResourceAddress = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };

const rootCaName = 'kube-root-ca.crt';
const descriptionAnnotation = 'kubernetes.io/description';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export interface NamespaceDefaultsOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
}

/** Keys are those of the accounts. */
export function serviceAccountController({ client, sources, ...parts }: NamespaceDefaultsOptions): Controller {
  const all = { namespaces: sources.of(namespaces), accounts: sources.of(serviceAccounts) };
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    if (!isActive(all.namespaces, namespace) || all.accounts.get(namespace, name)) return;
    await ensureIn(client, serviceAccounts, { kind: 'ServiceAccount', metadata: { name, namespace } });
  };
  return controller({ ...parts, name: 'serviceaccount', sources: keysNamed('default', all.namespaces, all.accounts), reconcile });
}

/** Keys are those of the config maps. `rootCa`: PEM of the authority. */
export function rootCaPublisher({ client, sources, rootCa, ...parts }: NamespaceDefaultsOptions & { readonly rootCa: string }): Controller {
  const all = { namespaces: sources.of(namespaces), maps: sources.of(configMaps) };
  const data = { 'ca.crt': rootCa };
  const annotations = { [descriptionAnnotation]: description };
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    if (!isActive(all.namespaces, namespace)) return;
    const found = all.maps.get(namespace, name)?.object;
    if (found === undefined) await ensureIn(client, configMaps, { kind: 'ConfigMap', metadata: { name, namespace, annotations }, data });
    else if (!isPublished(found, rootCa)) {
      const metadata = { ...found.metadata, annotations: { ...found.metadata.annotations, ...annotations } };
      await unlessOvertaken(client.update(configMaps, { ...found, metadata, data }));
    }
  };
  const looked = measured(parts.metrics.ofLoops, reconcile);
  return controller({ ...parts, name: 'root_ca_cert_publisher', sources: keysNamed(rootCaName, all.namespaces, all.maps), reconcile: looked });
}

/** Counts every look by the code that it ended with, as the original's publisher does. */
function measured(metrics: MetricSet, reconcile: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const counts = metrics.counter({ name: 'root_ca_cert_publisher_sync_total', help: 'Looks at a namespace', labels: ['code'] });
  const durations = metrics.histogram({
    name: 'root_ca_cert_publisher_sync_duration_seconds',
    help: 'How long they took',
    labels: ['code'],
    buckets: exponentialBuckets(0.001, 2, 15),
  });
  return async (key) => {
    const began = performance.now();
    let code = 200;
    try {
      await reconcile(key);
    } catch (error) {
      code = error instanceof ApiError ? error.code : 500;
      throw error;
    } finally {
      counts.at(String(code)).value += 1;
      durations.at(String(code)).observe((performance.now() - began) / 1_000);
    }
  };
}

/** Holds this authority and nothing else, and says what for. */
function isPublished({ metadata, data }: KubernetesObject & { readonly data?: unknown }, rootCa: string): boolean {
  const stored = Object.entries((data ?? {}) as Readonly<Record<string, string>>);
  return stored.length === 1 && stored[0]?.[0] === 'ca.crt' && stored[0][1] === rootCa && Boolean(metadata.annotations?.[descriptionAnnotation]);
}

/** The object of this name in every namespace, and where it is already. */
function keysNamed(name: string, inAll: Source, objects: Source): readonly KeySource[] {
  return [
    keysOf(inAll, (namespace) => [sourceKey({ namespace: namespace.name, name })]),
    keysOf(objects, (item) => (item.name === name ? [sourceKey(item)] : [])),
  ];
}

function isActive(all: Source, name: string): boolean {
  const found = all.get('', name);
  return found !== undefined && found.object.metadata.deletionTimestamp === undefined;
}

/** A namespace that is going, or gone, needs nothing any more. */
async function ensureIn(client: RestClient, resource: ResourceAddress, object: KubernetesObject): Promise<void> {
  try {
    await createUnlessThere(client, resource, object);
  } catch (error) {
    if (!(isNamespaceEnding(error) || (error instanceof ApiError && error.code === 404))) throw error;
  }
}

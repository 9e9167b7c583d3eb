// A namespace that is being deleted: everything in it goes first, then its finalizer.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Sources, splitKey } from '#api/source.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';

const namespaces: ResourceAddress = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
const finalizer = 'kubernetes';

export interface NamespaceDeletionOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  /** Namespaced resources that can be listed and deleted as a collection. */
  readonly contents: () => readonly ResourceAddress[];
}

/** What is still there has finalizers or a grace period: looked at again with every retry. */
class ContentLeft extends Error {
  override readonly name = 'ContentLeft';
}

export function namespaceDeletion(options: NamespaceDeletionOptions): Controller {
  const all = options.sources.of(namespaces);
  const reconcile = (key: string) => finish(options, all.get('', splitKey(key).name)?.object);
  return controller({ ...options, name: 'namespace-controller', sources: [keysOf(all)], reconcile });
}

async function finish({ client, contents }: NamespaceDeletionOptions, namespace: KubernetesObject | undefined): Promise<void> {
  const { finalizers = [] } = (namespace?.['spec'] ?? {}) as { finalizers?: readonly string[] };
  if (namespace?.metadata.deletionTimestamp === undefined || !finalizers.includes(finalizer)) return;
  const name = namespace.metadata.name ?? '';
  const left: string[] = [];
  for (const resource of contents()) if (!(await empty(client, resource, name))) left.push(resource.resource);
  if (left.length > 0) throw new ContentLeft(`${left.join(', ')} of namespace ${name} are still there`);
  await finalize(client, namespace, finalizers);
}

async function empty(client: RestClient, resource: ResourceAddress, namespace: string): Promise<boolean> {
  const { items } = await client.list(resource, namespace);
  for (const { metadata } of items) {
    if (metadata.deletionTimestamp === undefined)
      await ignoreMissing(client.delete(resource, namespace, metadata.name ?? '', { propagationPolicy: 'Background' }));
  }
  return items.length === 0 || (await client.list(resource, namespace)).items.length === 0;
}

async function finalize(client: RestClient, namespace: KubernetesObject, finalizers: readonly string[]): Promise<void> {
  const spec = { finalizers: finalizers.filter((other) => other !== finalizer) };
  await ignoreMissing(client.update(namespaces, { ...namespace, spec }, 'finalize'));
}

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}

// Objects that must be there: made when they are missing, brought up to date when a rule says how.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { Query, ResourceAddress, RestClient } from '#client/rest-client.ts';

/** What to write instead of the stored object; undefined leaves it alone, 'recreate' exchanges it. */
export type Reconcile = (stored: KubernetesObject, wanted: KubernetesObject) => KubernetesObject | 'recreate' | undefined;

export const leaveAlone: Reconcile = () => undefined;

/** So many are asked for one by one: what else the cluster has of them, perhaps very many, is of no interest. */
const few = 8;

/** Reads what is there, then does only the writes that are needed: none on an existing data directory. */
export async function ensureAll(
  client: RestClient,
  resource: ResourceAddress,
  wanted: readonly KubernetesObject[],
  reconcile: Reconcile = leaveAlone,
  query: Query = {},
): Promise<void> {
  const found = wanted.length > few ? (await client.list(resource)).items : await findEach(client, resource, wanted);
  const stored = new Map(found.map((object) => [keyOf(object), object]));
  for (const object of wanted) await ensure(client, resource, object, { stored: stored.get(keyOf(object)), reconcile, query });
}

async function findEach(client: RestClient, resource: ResourceAddress, wanted: readonly KubernetesObject[]): Promise<readonly KubernetesObject[]> {
  const found = await Promise.all(wanted.map(({ metadata }) => client.find(resource, metadata.namespace ?? '', metadata.name ?? '')));
  return found.filter((object) => object !== undefined);
}

function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

interface Means {
  readonly stored: KubernetesObject | undefined;
  readonly reconcile: Reconcile;
  readonly query: Query;
}

async function ensure(client: RestClient, resource: ResourceAddress, wanted: KubernetesObject, { stored, reconcile, query }: Means): Promise<void> {
  const next = stored && reconcile(stored, wanted);
  const { namespace = '', name = '' } = wanted.metadata;
  if (stored === undefined) await createUnlessThere(client, resource, wanted, query);
  else if (next === 'recreate') {
    await client.delete(resource, namespace, name);
    await createUnlessThere(client, resource, wanted, query);
  } else if (next !== undefined) await client.update(resource, next, '', query);
}

/** Another server may have been faster. */
export async function createUnlessThere(client: RestClient, resource: ResourceAddress, object: KubernetesObject, query: Query = {}): Promise<void> {
  try {
    await client.create(resource, object.metadata.namespace ?? '', object, query);
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error;
  }
}

// What the collector reads and writes of single objects. It trusts no view of its own: an object counts as gone only when the server says
// that this object, by this uid, is not there.
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { patchTypes, type ResourceAddress, type RestClient } from '#client/rest-client.ts';

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Undefined: gone, or another object now. Throws when the server does not know the resource: then nothing can be said of the object. */
export async function readLive(client: RestClient, resource: ResourceAddress, { namespace, name }: Place, uid: string): Promise<KubernetesObject | undefined> {
  try {
    const found = await client.as('metadata').get(resource, namespace, name);
    return found.metadata.uid === uid ? found : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Only while the object is as it was read: a conflict is thrown, and everything looked at again. */
export async function patchLive(client: RestClient, resource: ResourceAddress, place: Place, { metadata }: KubernetesObject, change: object): Promise<void> {
  const { uid, resourceVersion } = metadata;
  await unlessGone(client.patch(resource, place, patchTypes.merge, { metadata: { uid, resourceVersion, ...change } }));
}

/**
 * The object no longer names these owners. As in the original by a strategic patch, which leaves the rest of the list to whoever owns it;
 * custom kinds know none, and get the list that is left.
 */
export async function releaseFrom(
  client: RestClient,
  resource: ResourceAddress,
  target: Place & { readonly uid: string },
  owners: ReadonlySet<string>,
): Promise<void> {
  const { namespace, name, uid } = target;
  const ownerReferences = [...owners].map((owner) => ({ $patch: 'delete', uid: owner }));
  try {
    await unlessGone(client.patch(resource, { namespace, name }, patchTypes.strategic, { metadata: { uid, ownerReferences } }));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 415)) throw error;
    const live = await readLive(client, resource, target, uid);
    const left = live?.metadata.ownerReferences?.filter((reference) => !owners.has(reference.uid));
    if (live !== undefined && left?.length !== live.metadata.ownerReferences?.length)
      await patchLive(client, resource, target, live, { ownerReferences: left });
  }
}

export async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** A 404 that names the object; one that does not is about the resource. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 404 && Boolean(error.details?.name);
}

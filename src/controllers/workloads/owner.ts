// The object for which a controller makes others.
import { apiVersionOf } from '#api/names.ts';
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';

/** A resource together with the name of its kind. */
export type OwnerKind = ResourceAddress & { readonly kind: string };

/** The reference by which `owner` controls what is made for it. */
export function controllerReference(kind: OwnerKind, { metadata: { name = '', uid = '' } }: KubernetesObject): OwnerReference {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Before something is adopted the server itself is asked whether the owner is still there: what is known here may be old. */
export async function refuseGoneOwner(client: RestClient, kind: OwnerKind, { metadata }: KubernetesObject): Promise<void> {
  const { namespace = '', name = '', uid } = metadata;
  const fresh = await client.get<KubernetesObject>(kind, namespace, name);
  const place = `${namespace}/${name}`;
  if (fresh.metadata.uid !== uid) throw new Error(`original ${kind.kind} ${place} is gone: got uid ${fresh.metadata.uid}, wanted ${uid}`);
  const { deletionTimestamp } = fresh.metadata;
  if (deletionTimestamp !== undefined) throw new Error(`${place} has just been deleted at ${deletionTimestamp}`);
}

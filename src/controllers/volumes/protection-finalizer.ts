// A finalizer that keeps an object while something uses it: put on when it is missing, taken off when the object is to go and is free.
import type { KubernetesObject } from '#api/object.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';

/** Is there anything to decide: does it wait for its deletion, or lack the finalizer? */
export function needsProtectionWork({ metadata }: KubernetesObject, finalizer: string): boolean {
  const isHeld = metadata.finalizers?.includes(finalizer) === true;
  return metadata.deletionTimestamp === undefined ? !isHeld : isHeld;
}

export async function keepProtected<T extends KubernetesObject>(
  client: RestClient,
  resource: ResourceAddress,
  object: T,
  finalizer: string,
  isUsed: () => boolean | Promise<boolean>,
): Promise<void> {
  if (!needsProtectionWork(object, finalizer)) return;
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp !== undefined && (await isUsed())) return;
  const next = deletionTimestamp === undefined ? [...finalizers, finalizer] : finalizers.filter((other) => other !== finalizer);
  await unlessGone(client.update(resource, { ...object, metadata: { ...object.metadata, finalizers: next } }));
}

// A claim for devices whose pods are done is free again: first its reservations go, then its allocation and the finalizer that kept it, and
// a claim that was made for a pod goes with it.
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { isDone, type StoredPod, type StoredResourceClaim } from '#controllers/resource-claims/pod-claims.ts';

export interface Freeing {
  readonly client: RestClient;
  /** As far as it is known, in the namespace of the claim. */
  readonly podNamed: (name: string) => StoredPod | undefined;
}

type Reservation = NonNullable<NonNullable<StoredResourceClaim['status']>['reservedFor']>[number];

const finalizer = 'resource.kubernetes.io/delete-protection';

export async function freeClaim(parts: Freeing, claim: StoredResourceClaim): Promise<void> {
  const reserved = claim.status?.reservedFor ?? [];
  const remaining: Reservation[] = [];
  for (const one of reserved) if (await isHeld(parts, claim, one)) remaining.push(one);
  const isGoing = claim.metadata.deletionTimestamp !== undefined && isKept(claim) && remaining.length === 0;
  if (remaining.length < reserved.length || isGoing) await release(parts, claim, remaining);
  if (remaining.length === 0) await removeUnused(parts, claim);
}

/** What is reserved for anything but pods is somebody else's. A pod that is not known may be too new: the server is asked. */
async function isHeld({ client, podNamed }: Freeing, { metadata }: StoredResourceClaim, { apiGroup, resource, name, uid }: Reservation): Promise<boolean> {
  if (apiGroup || resource !== 'pods') return true;
  const known = podNamed(name) ?? (await client.find<StoredPod>(kinds.pods, metadata.namespace ?? '', name));
  return known !== undefined && known.metadata.uid === uid && !isDone(known);
}

function isKept({ metadata }: StoredResourceClaim): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

async function release({ client }: Freeing, claim: StoredResourceClaim, remaining: readonly Reservation[]): Promise<void> {
  const { allocation, reservedFor, ...others } = claim.status ?? {};
  const isFree = remaining.length === 0 && isKept(claim);
  const status = { ...others, ...(allocation && !isFree && { allocation }), ...(remaining.length > 0 && { reservedFor: remaining }) };
  const changes = remaining.length < (reservedFor?.length ?? 0) || (isFree && allocation !== undefined);
  const freed = changes ? await client.update(kinds.resourceClaims, { ...claim, status } as StoredResourceClaim, 'status') : claim;
  if (!isKept(freed) || freed.status?.allocation !== undefined) return;
  const finalizers = freed.metadata.finalizers?.filter((other) => other !== finalizer);
  await unlessGone(client.update(kinds.resourceClaims, { ...freed, metadata: { ...freed.metadata, finalizers } } as StoredResourceClaim));
}

async function removeUnused({ client, podNamed }: Freeing, { metadata }: StoredResourceClaim): Promise<void> {
  const owner = metadata.ownerReferences?.find(({ controller, apiVersion, kind }) => controller === true && apiVersion === 'v1' && kind === 'Pod');
  const pod = owner && podNamed(owner.name);
  // What lost its pod altogether goes by the garbage collector.
  if (pod === undefined || (pod.metadata.uid === owner?.uid && !isDone(pod))) return;
  await unlessGone(client.delete(kinds.resourceClaims, metadata.namespace ?? '', metadata.name ?? ''));
}

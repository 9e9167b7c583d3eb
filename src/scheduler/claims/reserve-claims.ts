// Holds the devices of a placement, and writes them into the claims before the pod is bound.
import type { RestClient } from '#client/rest-client.ts';
import { retryOnConflict } from '#client/retry-on-conflict.ts';
import type { StoredPod } from '#scheduler/cluster/pod-facts.ts';
import { PluginError, type Reservation } from '#scheduler/framework.ts';
import { type ClaimWorld, isReservedFor, resourceKinds, type StoredResourceClaim } from '#scheduler/claims/claim-world.ts';
import type { AllocationResult } from '#kinds/resource/v1/resource-claim.ts';

/** Takes the devices back from claims that are deallocated only once those that were promised them are gone. */
const finalizer = 'resource.kubernetes.io/delete-protection';

/** `allocation` undefined: the claim has its devices already. */
export interface ClaimPlan {
  readonly claim: StoredResourceClaim;
  readonly allocation: AllocationResult | undefined;
}

export function reserveClaims(world: ClaimWorld, client: RestClient, pod: StoredPod, plans: readonly ClaimPlan[]): Reservation {
  const allocated = plans.flatMap(({ claim, allocation }) => (allocation === undefined ? [] : [withAllocation(claim, allocation)]));
  for (const claim of allocated) world.claims.assume(claim);
  return {
    isPending: true,
    release: () => {
      for (const claim of allocated) world.claims.forget(claim);
    },
    async bind() {
      for (const plan of plans) if (!isReservedFor(plan.claim, pod)) await write(client, pod, plan);
    },
  };
}

function withAllocation(claim: StoredResourceClaim, allocation: AllocationResult): StoredResourceClaim {
  return { ...claim, status: { ...claim.status, allocation } };
}

async function write(client: RestClient, pod: StoredPod, { claim, allocation }: ClaimPlan): Promise<void> {
  const { namespace = '', name = '' } = claim.metadata;
  let current = claim;
  await retryOnConflict(async () => {
    if (current.metadata.deletionTimestamp !== undefined) throw new PluginError(`claim ${namespace}/${name} got deleted in the meantime`);
    if (allocation !== undefined && current.status?.allocation !== undefined) {
      throw new PluginError(`claim ${namespace}/${name} got allocated elsewhere in the meantime`);
    }
    try {
      if (allocation !== undefined) current = await guard(client, current);
      const status = { ...current.status, ...(allocation && { allocation }), reservedFor: [...(current.status?.reservedFor ?? []), consumer(pod)] };
      await client.update(resourceKinds.claims, { ...current, status }, 'status');
    } catch (error) {
      current = await client.get<StoredResourceClaim>(resourceKinds.claims, namespace, name);
      throw error;
    }
  }, 5);
}

async function guard(client: RestClient, claim: StoredResourceClaim): Promise<StoredResourceClaim> {
  const { finalizers = [] } = claim.metadata;
  if (finalizers.includes(finalizer)) return claim;
  return client.update(resourceKinds.claims, { ...claim, metadata: { ...claim.metadata, finalizers: [...finalizers, finalizer] } });
}

function consumer({ metadata: { name = '', uid = '' } }: StoredPod) {
  return { resource: 'pods', name, uid };
}

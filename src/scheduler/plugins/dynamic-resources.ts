// Claims of devices: those that are allocated tie a pod to nodes, the others get devices that the chosen node can reach.
import type { Log } from '#base/log.ts';
import { messageOf } from '#base/message-of.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type NodeTest, nodeSelectorTest } from '#controllers/nodes/node-selection.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { allocateClaims } from '#scheduler/claims/allocate-claims.ts';
import { type ClaimWorld, claimsOf, isReservedFor, resourceKinds, type StoredResourceClaim } from '#scheduler/claims/claim-world.ts';
import { reserveClaims } from '#scheduler/claims/reserve-claims.ts';
import { judging, type NodeFilter, normalizeToLargest, type Plugin, type Rejection, type Relief, rejecter } from '#scheduler/framework.ts';
import { nodeHint, type ObjectEvent, objectHint, podHint } from '#scheduler/queue/hints.ts';
import type { AllocationResult } from '#kinds/resource/v1/resource-claim.ts';

const name = 'DynamicResources';
const reject = rejecter(name);
const elsewhere = reject.final('resourceclaim not available on the node');
const insufficient = reject.final('cannot allocate all claims');
/** A request can have so many alternatives; the first that is met scores most. */
const mostAlternatives = 8;

export interface DynamicResourcesOptions {
  readonly world: ClaimWorld;
  readonly client: RestClient;
  readonly log: Log;
}

export function dynamicResources(options: DynamicResourcesOptions): Plugin {
  const { world } = options;
  return {
    name,
    weight: 2,
    admits: ({ pod }) => (pod.spec.resourceClaims ?? []).length === 0 || typeof claimsOf(world, pod) !== 'string',
    filter: (pod) => filterOf(options, pod),
    score: (_, __, ___, filter) => {
      if (!(filter instanceof ClaimFilter)) return undefined;
      return { score: (node) => filter.scoreOn(node), normalize: (scores) => normalizeToLargest(scores) };
    },
    relieve: ({ pod, checks }) => {
      // The original looks for what it worked out before, and finds nothing where another plugin had rejected the pod by then.
      if (!checks.filters.has(name)) return { is: 'error', message: 'not found' };
      const filter = checks.filters.get(name);
      return filter instanceof ClaimFilter ? deallocate(options, pod, filter) : { is: 'none', message: 'no new claims to deallocate' };
    },
    hints: [
      nodeHint(['Add', 'UpdateLabel', 'UpdateAllocatable']),
      objectHint('ResourceClaim', ['Add', 'Update'], (pod, event) => isWorthAfterClaim(world, pod, event)),
      podHint(['UpdateGeneratedClaim'], (pod, { after }) => after?.uid === pod.uid && typeof claimsOf(world, after.pod) !== 'string'),
      objectHint('DeviceClass', ['Add', 'Update']),
      objectHint('ResourceSlice', ['Add', 'Update']),
    ],
  };
}

function filterOf({ world, client }: DynamicResourcesOptions, { pod }: PodFacts): NodeFilter | Rejection | undefined {
  if ((pod.spec.resourceClaims ?? []).length === 0) return undefined;
  const claims = claimsOf(world, pod);
  if (typeof claims === 'string') return reject.final(claims);
  if (claims.length === 0) return undefined;
  for (const claim of claims) {
    const { namespace = '', name: claimName = '' } = claim.metadata;
    if (claim.status?.allocation !== undefined) {
      if (world.claims.isAssumed(namespace, claimName)) return reject.final(`resource claim ${namespace}/${claimName} is in the process of being allocated`);
      continue;
    }
    const problem = classProblem(world, claim);
    if (problem !== undefined) return reject.final(problem);
  }
  return new ClaimFilter(world, client, pod, claims);
}

function classProblem(world: ClaimWorld, { spec }: StoredResourceClaim): string | undefined {
  for (const { name: request, exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
    const asked = exactly === undefined ? firstAvailable.map((one) => [`${request}/${one.name}`, one.deviceClassName]) : [[request, exactly.deviceClassName]];
    for (const [of, className = ''] of asked) if (world.deviceClass(className) === undefined) return `request ${of}: device class ${className} does not exist`;
  }
  return undefined;
}

class ClaimFilter implements NodeFilter {
  readonly claims: readonly StoredResourceClaim[];
  /** Those with devices that some node cannot reach. */
  readonly unreachable = new Set<StoredResourceClaim>();
  readonly #world: ClaimWorld;
  readonly #client: RestClient;
  readonly #pod: PodFacts['pod'];
  readonly #byNode = new Map<string, readonly AllocationResult[]>();
  readonly #reaches: ReadonlyMap<StoredResourceClaim, NodeTest>;

  constructor(world: ClaimWorld, client: RestClient, pod: PodFacts['pod'], claims: readonly StoredResourceClaim[]) {
    this.#world = world;
    this.#client = client;
    this.#pod = pod;
    this.claims = claims;
    this.#reaches = new Map(
      claims.flatMap((claim) => (claim.status?.allocation?.nodeSelector ? [[claim, nodeSelectorTest(claim.status.allocation.nodeSelector)]] : [])),
    );
  }

  check(node: NodeInfo): Rejection | undefined {
    const out = [...this.#reaches].filter(([, reaches]) => !reaches(node)).map(([claim]) => claim);
    const open = this.#open();
    const allocations = open.length === 0 ? [] : judging(name, () => allocateClaims(this.#world, open, node));
    if (allocations === undefined) return insufficient;
    for (const claim of out) this.unreachable.add(claim);
    if (out.length > 0) return elsewhere;
    this.#byNode.set(node.name, allocations);
    return undefined;
  }

  reserve(node: NodeInfo) {
    const allocations = this.#byNode.get(node.name) ?? [];
    const open = this.#open();
    const plans = this.claims.map((claim) => ({ claim, allocation: open.includes(claim) ? allocations[open.indexOf(claim)] : undefined }));
    return reserveClaims(this.#world, this.#client, this.#pod, plans);
  }

  /** Earlier alternatives of requests are better. */
  scoreOn(node: NodeInfo): number {
    const allocations = [...(this.#byNode.get(node.name) ?? [])];
    let score = 0;
    for (const { spec, status } of this.claims) {
      const met = new Set((status?.allocation ?? allocations.shift())?.devices?.results?.map(({ request }) => request));
      for (const { name: request, firstAvailable = [] } of spec?.devices?.requests ?? []) {
        for (const [index, { name: alternative }] of firstAvailable.entries()) if (met.has(`${request}/${alternative}`)) score += mostAlternatives - index;
      }
    }
    return score;
  }

  #open(): readonly StoredResourceClaim[] {
    return this.claims.filter(({ status }) => status?.allocation === undefined);
  }
}

/** A claim that nobody else uses and that holds the pod where it does not fit gives its devices back. */
function deallocate({ client, log }: DynamicResourcesOptions, { pod }: PodFacts, { unreachable }: ClaimFilter): Relief {
  const idle = [...unreachable].find(
    (claim) => (claim.status?.reservedFor ?? []).length === 0 || (claim.status?.reservedFor?.length === 1 && isReservedFor(claim, pod)),
  );
  if (idle === undefined) return { is: 'none', message: 'still not schedulable' };
  const { allocation: _, reservedFor: __, devices: ___, ...status } = idle.status ?? {};
  client.update(resourceKinds.claims, { ...idle, status }, 'status').catch((error: unknown) => {
    log.warn('a claim could not be deallocated', { claim: idle.metadata.name, err: messageOf(error) });
  });
  return { is: 'none', message: 'deallocation of ResourceClaim completed' };
}

function isWorthAfterClaim(world: ClaimWorld, { pod }: PodFacts, { before, after }: ObjectEvent): boolean {
  const claims = claimsOf(world, pod);
  if (typeof claims === 'string') return false;
  const [was, is] = [before as StoredResourceClaim | undefined, after as StoredResourceClaim | undefined];
  if (was?.status?.allocation !== undefined && is?.status?.allocation === undefined) return true;
  if (!claims.some(({ metadata }) => metadata.uid === is?.metadata.uid)) return false;
  return was === undefined || JSON.stringify(was.status) !== JSON.stringify(is?.status);
}

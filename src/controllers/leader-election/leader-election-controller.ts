// Coordinated leader election: programs say by LeaseCandidates that they could lead, this controller writes into the Lease who does.
import type { KubernetesObject } from '#api/object.ts';
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, every, keysOf, type LoopParts, together, unlessOvertaken } from '#controllers/controller.ts';
import {
  candidateValidMs,
  electedSpec,
  type ElectionStep,
  electionStep,
  firstTerm,
  hasPingPending,
  isCandidateExpired,
  microTimeAt,
  type StoredLease,
} from '#controllers/leader-election/election-step.ts';
import { leaseCandidates, type StoredCandidate } from '#controllers/leader-election/pick-leader.ts';

export interface LeaderElectionOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

/** A lease that nobody renews does not tell: it is looked at so often while it has candidates. */
const lookEveryMs = 5_000;

export function leaderElections(options: LeaderElectionOptions): Controller {
  return together(elections(options), expiredCandidates(options));
}

function elections(options: LeaderElectionOptions): Controller {
  const { client, clock } = options;
  const leases = options.sources.of<StoredLease>(kinds.leases);
  const candidates = options.sources.of<StoredCandidate>(leaseCandidates);
  const candidatesFor = (namespace: string, leaseName: string) =>
    candidates
      .list(namespace)
      .map(({ object }) => object)
      .filter(({ spec }) => spec.leaseName === leaseName && !isCandidateExpired(spec, clock.now().getTime()));

  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const standing = candidatesFor(namespace, name);
    if (standing.length === 0) return;
    const now = clock.now().getTime();
    const step = electionStep(leases.get(namespace, name)?.object, standing, now);
    if (step.is === 'ping') await Promise.all(step.candidates.map((candidate) => ping(client, candidate, now)));
    if (step.is === 'elect') await elect(client, { namespace, name }, step, now);
    return { againMs: lookEveryMs };
  };
  const sources = [
    // Every node renews a lease all the time: those that nobody stands for are left alone.
    keysOf(leases, (item) => (candidatesFor(item.namespace, item.name).length > 0 ? [sourceKey(item)] : [])),
    keysOf(candidates, ({ namespace, object }) => (hasPingPending(object.spec) ? [] : [sourceKey({ namespace, name: object.spec.leaseName })])),
  ];
  return controller({ ...options, name: 'leader-election-controller', sources, reconcile });
}

async function ping(client: RestClient, candidate: StoredCandidate, now: number): Promise<void> {
  await unlessOvertaken(client.update(leaseCandidates, { ...candidate, spec: { ...candidate.spec, pingTime: microTimeAt(now) } }));
}

async function elect(
  client: RestClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  step: ElectionStep & { readonly is: 'elect' },
  now: number,
): Promise<void> {
  const lease = await client.find<StoredLease>(kinds.leases, namespace, name);
  if (lease === undefined) {
    const made: KubernetesObject = { metadata: { namespace, name }, spec: firstTerm(step.strategy, step.holder, now) } as KubernetesObject;
    await client.create(kinds.leases, namespace, made);
    return;
  }
  const spec = electedSpec(lease, step, now);
  if (spec !== undefined) await client.update(kinds.leases, { ...lease, spec });
}

/** Candidates that have not renewed for half an hour are deleted, twice an hour as upstream does. */
function expiredCandidates(options: LeaderElectionOptions): Controller {
  const { client, clock } = options;
  const candidates = options.sources.of<StoredCandidate>(leaseCandidates);
  const isExpired = ({ spec }: StoredCandidate) => isCandidateExpired(spec, clock.now().getTime());
  const reconcile = async () => {
    for (const { namespace, name, object } of candidates.list()) {
      if (!isExpired(object)) continue;
      const live = await client.find<StoredCandidate>(leaseCandidates, namespace, name);
      if (live === undefined || !isExpired(live)) continue;
      const { uid, resourceVersion } = live.metadata;
      await unlessOvertaken(client.delete(leaseCandidates, namespace, name, { preconditions: { uid, resourceVersion } }));
    }
  };
  const sources = [keysOf(candidates, () => []), every(options.timers, candidateValidMs, '/all')];
  return controller({ ...options, name: 'leasecandidate-garbage-collector', sources, reconcile });
}

// Stands for election to a Lease: keeps the LeaseCandidate of one process, and answers when it is pinged.
import { type Sources, sourceKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, type KeySource, keysOf, type LoopParts } from '#controllers/controller.ts';
import { hasPingPending, microTimeAt } from '#controllers/leader-election/election-step.ts';
import { leaseCandidates, oldestEmulationVersion, type StoredCandidate } from '#controllers/leader-election/pick-leader.ts';

export interface LeaseCandidateOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly namespace: string;
  /** The identity by which the process would hold the lease. */
  readonly identity: string;
  readonly leaseName: string;
  readonly binaryVersion: string;
  readonly emulationVersion: string;
}

const renewEveryMs = 5 * 60_000;

export function leaseCandidate(options: LeaseCandidateOptions): Controller {
  const { client, clock, namespace, identity, leaseName, binaryVersion, emulationVersion } = options;
  const candidates = options.sources.of<StoredCandidate>(leaseCandidates);
  const ownKey = sourceKey({ namespace, name: identity });
  const reconcile = async () => {
    const renewTime = microTimeAt(clock.now().getTime());
    const known = candidates.get(namespace, identity)?.object;
    if (known !== undefined) await client.update(leaseCandidates, { ...known, spec: { ...known.spec, renewTime } });
    else {
      const spec = { leaseName, binaryVersion, emulationVersion, strategy: oldestEmulationVersion, renewTime };
      await client.create(leaseCandidates, namespace, { metadata: { namespace, name: identity }, spec });
    }
    return { againMs: renewEveryMs };
  };
  const standing: KeySource = async (enqueue) => enqueue(ownKey);
  const pinged = keysOf(candidates, (item) => (sourceKey(item) === ownKey && hasPingPending(item.object.spec) ? [ownKey] : []));
  return controller({ ...options, name: 'leasecandidate', sources: [pinged, standing], reconcile });
}

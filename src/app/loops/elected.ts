// Where several servers share their objects, one of them runs the controllers and one the scheduler: whoever holds the Lease of the original's
// program, so that a real kube-controller-manager or kube-scheduler beside them waits as well.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { controllerManagerUser, schedulerUser, type User } from '#api/user.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { isCoordinating } from '#app/loops/is-coordinating.ts';
import { type LeaderElectionOptions, runElected } from '#client/leader-election.ts';
import type { RestClient } from '#client/rest-client.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

export type ElectedProgram = 'kube-controller-manager' | 'kube-scheduler' | 'binnacle-nodes' | 'leader-election-controller';

type Periods = Pick<LeaderElectionOptions, 'leaseMs' | 'renewDeadlineMs' | 'retryMs'>;

/** The defaults of the original. */
const periods: Periods = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** With the flag of the original, or where others may work on the same objects. */
export function isElected({ options: { flags }, isShared }: ListeningServer): boolean {
  return flags.isGiven('leader-elect') ? flags.boolean('leader-elect') : isShared;
}

/** Calls `lead` while this server has the Lease, with itself as it is until it loses it. */
export async function whileElected(
  program: ElectedProgram,
  server: ListeningServer,
  lead: (server: ListeningServer) => Promise<void>,
  terms: Periods = periods,
): Promise<void> {
  const { reads, signal } = server;
  const client = server.own.as(userOf(program, server), program);
  const identity = `${hostname()}_${randomUUID()}`;
  const { clock, timers, log } = reads;
  const isCoordinated = hasCandidates(program) && isCoordinating(reads);
  if (isCoordinated) await stand(program, server, client, identity);
  return runElected(
    {
      client,
      namespace: 'kube-system',
      name: program,
      identity,
      ...terms,
      isCoordinated,
      clock,
      timers,
      random: Math.random,
      onLeader: (leader) => log.info('a leader was elected', { lease: program, leader }),
    },
    (leading) => {
      // One listener for each loop.
      setMaxListeners(0, leading);
      return lead({ ...server, signal: leading });
    },
    signal,
  );
}

/** Programs of the original stand for election where leader election is coordinated. */
function hasCandidates(program: ElectedProgram): boolean {
  return program === 'kube-controller-manager' || program === 'kube-scheduler';
}

async function stand(leaseName: string, { reads, queues, signal }: ListeningServer, client: RestClient, identity: string): Promise<void> {
  const { leaseCandidate } = await import('#controllers/leader-election/lease-candidate.ts');
  const { gitVersion, emulationMajor, emulationMinor } = kubernetesVersion;
  const versions = { binaryVersion: gitVersion.slice(1), emulationVersion: `${emulationMajor}.${emulationMinor}.0` };
  void leaseCandidate({ ...reads, metrics: queues, client, namespace: 'kube-system', identity, leaseName, ...versions }).run(signal);
}

/** Nodes that play are no program of the original; who elects others is this server itself. */
function userOf(program: ElectedProgram, { own }: ListeningServer): User {
  if (!hasCandidates(program)) return own.self;
  return program === 'kube-scheduler' ? schedulerUser : controllerManagerUser;
}

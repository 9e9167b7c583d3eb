// Where several servers share their objects, one of them runs the controllers and one the scheduler: whoever holds the Lease of the original's
// program, so that a real kube-controller-manager or kube-scheduler beside them waits as well.
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { hostname } from 'node:os';
import { controllerManagerUser, schedulerUser, type User } from '#api/user.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { runElected } from '#client/leader-election.ts';

export type ElectedProgram = 'kube-controller-manager' | 'kube-scheduler' | 'binnacle-nodes';

/** The defaults of the original. */
const periods = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

/** With the flag of the original, or where others may work on the same objects. */
export function isElected({ options: { flags }, isShared }: ListeningServer): boolean {
  return flags.isGiven('leader-elect') ? flags.boolean('leader-elect') : isShared;
}

/** Calls `lead` while this server has the Lease, with itself as it is until it loses it. */
export function whileElected(program: ElectedProgram, server: ListeningServer, lead: (server: ListeningServer) => Promise<void>): Promise<void> {
  const { reads, signal } = server;
  const client = server.own.as(userOf(program, server), program);
  const identity = `${hostname()}_${randomUUID()}`;
  const { clock, timers, log } = reads;
  return runElected(
    {
      client,
      namespace: 'kube-system',
      name: program,
      identity,
      ...periods,
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

/** Nodes that play are no program of the original. */
function userOf(program: ElectedProgram, { own }: ListeningServer): User {
  if (program === 'binnacle-nodes') return own.self;
  return program === 'kube-scheduler' ? schedulerUser : controllerManagerUser;
}

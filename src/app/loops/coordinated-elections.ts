// Coordinated leader election (gate CoordinatedLeaderElection): one of the servers writes into Leases which of their candidates leads.
import type { ListeningServer } from '#app/listening-server.ts';
import { whileElected } from '#app/loops/elected.ts';
import { isCoordinating } from '#app/loops/is-coordinating.ts';
import type { LoopParts } from '#controllers/controller.ts';

export async function coordinateElections(server: ListeningServer, loops: LoopParts): Promise<void> {
  const { api, reads, options } = server;
  if (!isCoordinating(reads)) {
    if (reads.gate('CoordinatedLeaderElection'))
      reads.log.warn('leader election is not coordinated: --runtime-config does not serve coordination.k8s.io/v1beta1');
    return;
  }
  const { leaderElections } = await import('#controllers/leader-election/leader-election-controller.ts');
  const terms = {
    leaseMs: options.flags.durationMs('coordinated-leadership-lease-duration'),
    renewDeadlineMs: options.flags.durationMs('coordinated-leadership-renew-deadline'),
    retryMs: options.flags.durationMs('coordinated-leadership-retry-period'),
  };
  const lead = ({ signal }: ListeningServer) => leaderElections({ ...loops, client: api.client, sources: reads.sources, clock: reads.clock }).run(signal);
  await whileElected('leader-election-controller', server, lead, terms);
}

import type { Reads } from '#app/reads.ts';

/** Without the API of candidates nobody could stand for election: leases are then taken by whoever comes first. */
export function isCoordinating({ gate, catalog }: Pick<Reads, 'gate' | 'catalog'>): boolean {
  return gate('CoordinatedLeaderElection') && catalog.find('coordination.k8s.io', 'v1beta1', 'leasecandidates') !== undefined;
}

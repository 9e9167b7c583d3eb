// Whom coordinated leader election chooses: the candidate that behaves as the oldest version, so that in an upgrade no controller of a newer
// version writes what an older one does not know.
import type { KubernetesObject } from '#api/object.ts';
import { compareSemanticVersions, parseSemanticVersion, zeroVersion } from '#base/versions/semantic-versions.ts';
import type { ResourceAddress } from '#client/address.ts';
import type { LeaseCandidate } from '#kinds/coordination/v1beta1/lease-candidate.ts';

export type StoredCandidate = LeaseCandidate & KubernetesObject;

export const leaseCandidates: ResourceAddress = { group: 'coordination.k8s.io', version: 'v1beta1', resource: 'leasecandidates', namespaced: true };

/** The only strategy that this server elects by; others are left to the controllers that brought them. */
export const oldestEmulationVersion = 'OldestEmulationVersion';

/** Candidates of one binary version ask for different strategies: only who deployed them can say which one is meant. */
export class StrategyConflict extends Error {
  override readonly name = 'StrategyConflict';
}

/** That of the newest binary. */
export function strategyOf(candidates: readonly StoredCandidate[]): string {
  let newest: StoredCandidate | undefined;
  for (const candidate of candidates) {
    const order = newest === undefined ? 1 : compareVersions(candidate.spec.binaryVersion, newest.spec.binaryVersion);
    if (order > 0) newest = candidate;
    else if (order === 0 && newest && candidate.spec.strategy !== newest.spec.strategy) throw conflict(newest, candidate);
  }
  if (newest === undefined) throw new Error('no candidates');
  return newest.spec.strategy;
}

function conflict(a: StoredCandidate, b: StoredCandidate): StrategyConflict {
  const names = `candidates "${a.metadata.name}", "${b.metadata.name}"`;
  return new StrategyConflict(`${names} at same binary version but received differing strategies ${a.spec.strategy}, ${b.spec.strategy}`);
}

/** Oldest emulation version, then oldest binary, then who has been a candidate longest; undefined when no candidate says its versions. */
export function oldestOf(candidates: readonly StoredCandidate[]): StoredCandidate | undefined {
  const known = candidates.filter(({ spec }) => isVersion(spec.emulationVersion) && isVersion(spec.binaryVersion));
  return known.reduce<StoredCandidate | undefined>((best, candidate) => (best === undefined || isOlder(candidate, best) ? candidate : best), undefined);
}

function isOlder(a: StoredCandidate, b: StoredCandidate): boolean {
  const order = compareVersions(a.spec.emulationVersion, b.spec.emulationVersion) || compareVersions(a.spec.binaryVersion, b.spec.binaryVersion);
  return order === 0 ? createdAt(a) < createdAt(b) : order < 0;
}

function createdAt({ metadata }: StoredCandidate): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}

function isVersion(text: string | undefined): boolean {
  return text !== undefined && parseSemanticVersion(text) !== undefined;
}

/** What is no version counts as 0.0.0. */
function compareVersions(a: string | undefined, b: string | undefined): number {
  return compareSemanticVersions(parseSemanticVersion(a ?? '') ?? zeroVersion, parseSemanticVersion(b ?? '') ?? zeroVersion);
}

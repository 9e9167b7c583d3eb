// One step of a coordinated election, decided from the lease and its candidates alone:
//
//   no election needed ──(lease free, expired, or another candidate is better)──► candidates are pinged ──(all answered, or 5 s passed)──► elected
//
// A candidate has answered a ping when its renewTime is not before its pingTime.
import type { KubernetesObject } from '#api/object.ts';
import { oldestEmulationVersion, oldestOf, type StoredCandidate, strategyOf } from '#controllers/leader-election/pick-leader.ts';
import type { Lease } from '#kinds/coordination/v1/lease.ts';

export type StoredLease = Lease & KubernetesObject;

/** How long a candidate has to answer a ping, and how long its answer counts. */
const answerMs = 5_000;
/** A candidate that has not renewed for so long is gone. */
export const candidateValidMs = 30 * 60_000;

export type ElectionStep =
  | { readonly is: 'not needed' }
  | { readonly is: 'ping'; readonly candidates: readonly StoredCandidate[] }
  | { readonly is: 'wait' }
  /** `holder` is undefined where another controller elects by this strategy. */
  | { readonly is: 'elect'; readonly strategy: string; readonly holder: string | undefined };

export function electionStep(lease: StoredLease | undefined, candidates: readonly StoredCandidate[], now: number): ElectionStep {
  if (!isElectionNeeded(lease, candidates, now)) return { is: 'not needed' };
  const waiting = candidates.filter((candidate) => isAsked(candidate, now));
  const pinged = candidates.filter((candidate) => !isAsked(candidate, now) && mustBePinged(candidate, now));
  if (pinged.length > 0) return { is: 'ping', candidates: pinged };
  if (waiting.length > 0) return { is: 'wait' };
  const present = candidates.filter(({ spec }) => msOf(spec.renewTime) + answerMs > now);
  if (present.length === 0) throw new Error('no available candidates');
  const strategy = strategyOf(present);
  return { is: 'elect', strategy, holder: strategy === oldestEmulationVersion ? nameOf(oldestOf(present)) : undefined };
}

function isElectionNeeded(lease: StoredLease | undefined, candidates: readonly StoredCandidate[], now: number): boolean {
  if (lease === undefined || isLeaseExpired(lease, now) || !lease.spec.holderIdentity) return true;
  // All candidates are asked in the middle of the time for which they count, so that those who live are never taken for gone.
  if (candidates.some(({ spec }) => spec.renewTime !== undefined && msOf(spec.renewTime) + candidateValidMs / 2 < now)) return true;
  if (strategyOf(candidates) !== oldestEmulationVersion) return false;
  const best = oldestOf(candidates);
  return best !== undefined && best.metadata.name !== lease.spec.holderIdentity;
}

/** It was pinged and has time left to answer. */
function isAsked({ spec }: StoredCandidate, now: number): boolean {
  return hasPingPending(spec) && msOf(spec.pingTime) + answerMs > now;
}

/** One that renewed just now need not be asked; one that did not answer the last ping is not asked again. */
function mustBePinged({ spec }: StoredCandidate, now: number): boolean {
  if (msOf(spec.renewTime) + answerMs > now) return false;
  if (spec.pingTime === undefined) return true;
  return msOf(spec.pingTime) + answerMs < now && msOf(spec.renewTime) >= msOf(spec.pingTime);
}

/** What becomes of a lease that is there already; undefined: nothing. */
export function electedSpec(lease: StoredLease, { strategy, holder }: ElectionStep & { readonly is: 'elect' }, now: number): StoredLease['spec'] | undefined {
  const { spec } = lease;
  const held = spec.holderIdentity ?? '';
  const isNewStrategy = spec.strategy !== strategy;
  if (holder === undefined || holder === held) return isNewStrategy ? { ...spec, strategy } : undefined;
  // Its holder is asked to let it run out: only one that is free or has expired changes hands.
  if (held !== '' && !isLeaseExpired(lease, now))
    return spec.preferredHolder === holder && !isNewStrategy ? undefined : { ...spec, strategy, preferredHolder: holder };
  const { preferredHolder: _, acquireTime: __, ...kept } = spec;
  return { ...kept, ...firstTerm(strategy, holder, now) };
}

/** The first term is short: the new leader renews it for as long as it wants, or is gone and the next one is elected soon. */
export function firstTerm(strategy: string, holder: string | undefined, now: number): StoredLease['spec'] {
  return { strategy, ...(holder === undefined ? {} : { holderIdentity: holder }), leaseDurationSeconds: 5, renewTime: microTimeAt(now) };
}

export function isLeaseExpired({ spec }: StoredLease, now: number): boolean {
  const { renewTime, leaseDurationSeconds } = spec;
  return renewTime === undefined || leaseDurationSeconds === undefined || msOf(renewTime) + leaseDurationSeconds * 1_000 < now;
}

export function isCandidateExpired({ renewTime }: StoredCandidate['spec'], now: number): boolean {
  return renewTime === undefined || msOf(renewTime) + candidateValidMs < now;
}

/** A candidate that was pinged and has not answered: its change says nothing new. */
export function hasPingPending({ pingTime, renewTime }: StoredCandidate['spec']): boolean {
  return pingTime !== undefined && msOf(renewTime) < msOf(pingTime);
}

export function microTimeAt(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}

function nameOf(candidate: StoredCandidate | undefined): string {
  if (candidate?.metadata.name === undefined) throw new Error('no candidate says its versions');
  return candidate.metadata.name;
}

/** Never, where it is not said. */
function msOf(time: string | undefined): number {
  return time === undefined ? -Infinity : Date.parse(time);
}

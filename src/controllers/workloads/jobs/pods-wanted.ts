// Which pods a Job lacks and which are too many, as long as it goes on.
import { podsToDelete } from '#controllers/workloads/deletion-order.ts';
import { backoffMs, type BackoffRecord, indexBackoffMs } from '#controllers/workloads/jobs/job-backoff.ts';
import { indexesOf, isIndexed, type JobCount } from '#controllers/workloads/jobs/count-pods.ts';
import { firstFree, mergeRanges, withIndexes } from '#controllers/workloads/jobs/index-ranges.ts';
import { isTerminating, type JobPod, replacesOnlyFailed } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';

/** Either pods go or pods are made in one look, never both. */
export type PodsWanted =
  | { readonly is: 'enough' }
  | { readonly is: 'too many'; readonly pods: readonly JobPod[] }
  /** `index` is undefined where the Job has none. */
  | { readonly is: 'too few'; readonly indexes: readonly (number | undefined)[] }
  | { readonly is: 'backing off'; readonly forMs: number };

/** So many pods are made or deleted in one look. */
const burst = 500;

export function podsWanted(job: StoredJob, count: JobCount, backoff: BackoffRecord, now: number): PodsWanted {
  const active = count.active.length;
  if (job.spec?.suspend === true) return count.active.length === 0 ? { is: 'enough' } : { is: 'too many', pods: count.active };
  const wanted = wantedActive(job, count);
  const surplus = surplusPods(job, count.active, Math.max(0, active - wanted), now).slice(0, burst);
  if (surplus.length > 0) return { is: 'too many', pods: surplus };
  const missing = wanted - active - (replacesOnlyFailed(job) ? count.terminating : 0);
  if (missing <= 0) return { is: 'enough' };
  if (job.spec?.backoffLimitPerIndex !== undefined) return missingIndexes(job, count, Math.min(missing, burst), now);
  const forMs = backoffMs(backoff, now);
  if (forMs > 0) return { is: 'backing off', forMs };
  const indexes = isIndexed(job) ? freeIndexes(job, count, Math.min(missing, burst)) : Array.from({ length: Math.min(missing, burst) }, () => undefined);
  return indexes.length === 0 ? { is: 'enough' } : { is: 'too few', indexes };
}

/** Never more than completions are left. Without a number of completions nothing is made once a pod has succeeded. */
function wantedActive({ spec }: StoredJob, { active, succeeded }: JobCount): number {
  const { parallelism = 1, completions } = spec ?? {};
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Of pods that share an index one stays, and none without a valid one. */
function surplusPods(job: StoredJob, active: readonly JobPod[], atLeast: number, now: number): readonly JobPod[] {
  const { surplus, rest } = isIndexed(job) ? repeatedIndexes(job, active, now) : { surplus: [], rest: active };
  if (surplus.length >= atLeast) return surplus;
  return [...surplus, ...leastUseful(rest, atLeast - surplus.length, now)];
}

function repeatedIndexes({ spec }: StoredJob, active: readonly JobPod[], now: number) {
  const surplus: JobPod[] = [];
  const rest: JobPod[] = [];
  const byIndex = new Map<number, JobPod[]>();
  for (const pod of active) {
    const index = pod.index !== undefined && pod.index < (spec?.completions ?? 0) ? pod.index : -1;
    byIndex.set(index, [...(byIndex.get(index) ?? []), pod]);
  }
  for (const [index, pods] of byIndex) {
    const going = index < 0 ? pods : leastUseful(pods, pods.length - 1, now);
    surplus.push(...going);
    rest.push(...pods.filter((pod) => !going.includes(pod)));
  }
  return { surplus, rest };
}

/** What a pod's deletion costs is of no importance here, as in the original. */
function leastUseful(pods: readonly JobPod[], count: number, now: number): readonly JobPod[] {
  if (count <= 0) return [];
  const going = podsToDelete(
    pods.map(({ view }) => ({ ...view, deletionCost: 0 })),
    [],
    count,
    now,
  );
  const uids = new Set(going.map(({ uid }) => uid));
  return pods.filter(({ uid }) => uids.has(uid));
}

function freeIndexes(job: StoredJob, { active, pods, indexes }: JobCount, most: number): readonly number[] {
  const taken = withIndexes(indexes?.succeeded ?? [], indexesOf(active));
  const going = replacesOnlyFailed(job) ? withIndexes(taken, indexesOf(pods.filter(isTerminating))) : taken;
  return firstFree(mergeRanges(going, indexes?.failed ?? []), most, job.spec?.completions ?? 0);
}

/** Each index waits by itself. */
function missingIndexes(job: StoredJob, count: JobCount, most: number, now: number): PodsWanted {
  const waits = freeIndexes(job, count, most).map((index) => ({ index, forMs: indexBackoffMs(count.indexes?.held.get(index), now) }));
  const indexes = waits.filter(({ forMs }) => forMs === 0).map(({ index }) => index);
  if (indexes.length > 0) return { is: 'too few', indexes };
  return waits.length === 0 ? { is: 'enough' } : { is: 'backing off', forMs: Math.min(...waits.map(({ forMs }) => forMs)) };
}

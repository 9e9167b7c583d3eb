// Whether the indexes that have succeeded are enough for a Job's successPolicy.
import { countCommon, countIndexes, type IndexRanges, rangesOf } from '#controllers/workloads/jobs/index-ranges.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';

/** Which rule is met, in words; undefined: none. */
export function successByPolicy({ spec }: StoredJob, succeeded: IndexRanges): string | undefined {
  if (succeeded.length === 0) return undefined;
  for (const [index, { succeededIndexes, succeededCount }] of (spec?.successPolicy?.rules ?? []).entries()) {
    if (succeededIndexes === undefined) {
      if (succeededCount !== undefined && countIndexes(succeeded) >= succeededCount) return `Matched rules at index ${index}`;
      continue;
    }
    const required = rangesOf(succeededIndexes, spec?.completions ?? 0);
    if (required.length === 0) continue;
    const common = countCommon(required, succeeded);
    if (common === countIndexes(required) || (succeededCount !== undefined && common >= succeededCount)) return `Matched rules at index ${index}`;
  }
  return undefined;
}

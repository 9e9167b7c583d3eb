import { expect, test } from 'vitest';
import { type BackoffRecord, backoffMs, nextBackoff, noFailures } from '#controllers/workloads/jobs/job-backoff.ts';
import type { JobPod } from '#controllers/workloads/jobs/job-pod.ts';

const endedAt = (...seconds: readonly number[]) => seconds.map((second) => ({ finishedAt: second * 1000 }) as JobPod);

test.each<[string, BackoffRecord, readonly number[], readonly number[], BackoffRecord]>([
  ['nothing ended', { failures: 2, lastFailure: 5_000 }, [], [], { failures: 2, lastFailure: 5_000 }],
  ['failures are added', { failures: 2, lastFailure: 5_000 }, [], [9, 7], { failures: 4, lastFailure: 9_000 }],
  ['a success forgets them', { failures: 2, lastFailure: 5_000 }, [6], [], noFailures],
  ['failures before the last success are forgotten', noFailures, [6, 8], [7, 8, 9, 10], { failures: 2, lastFailure: 10_000 }],
])('%s', (_, before, succeeded, failed, after) => {
  expect(nextBackoff(before, endedAt(...succeeded), endedAt(...failed))).toEqual(after);
});

test.each([
  [0, 0],
  [1, 10],
  [2, 20],
  [3, 40],
  [7, 600],
  [2_000, 600],
])('after %i failures in a row the Job waits %i seconds', (failures, seconds) => {
  expect(backoffMs({ failures, lastFailure: 1_000 }, 1_000)).toBe(seconds * 1000);
  expect(backoffMs({ failures, lastFailure: 1_000 }, 1_000 + seconds * 1000)).toBe(0);
});

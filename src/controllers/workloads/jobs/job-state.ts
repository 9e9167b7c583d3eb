// What a Job's status says about its end.
import type { KubernetesObject } from '#api/object.ts';
import type { Job, JobCondition } from '#kinds/batch/v1/job.ts';

export type StoredJob = Job & KubernetesObject;

/** The condition by which a Job has come to its end. */
export function finishedCondition({ status }: StoredJob): JobCondition | undefined {
  return status?.conditions?.find(({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True');
}

export function isFinished(job: StoredJob): boolean {
  return finishedCondition(job) !== undefined;
}

/** Another controller than this one makes its pods. */
export function isManagedByOther({ spec }: StoredJob): boolean {
  return spec?.managedBy !== undefined && spec.managedBy !== 'kubernetes.io/job-controller';
}

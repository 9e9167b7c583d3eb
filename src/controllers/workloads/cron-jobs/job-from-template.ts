// The Job that a CronJob makes for one of its times.
import type { KubernetesObject } from '#api/object.ts';
import { timeZone, zonedText } from '#base/time/zoned-time.ts';
import { kinds } from '#client/kinds.ts';
import { controllerReference } from '#controllers/workloads/owner.ts';
import type { CronJob } from '#kinds/batch/v1/cron-job.ts';

export type StoredCronJob = CronJob & KubernetesObject;

export const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** The same for every attempt at the same time, so that no time has two Jobs. */
export function jobName(cronJob: StoredCronJob, scheduled: number): string {
  return `${cronJob.metadata.name}-${Math.floor(scheduled / 60_000)}`;
}

export function jobFromTemplate(cronJob: StoredCronJob, scheduled: number): KubernetesObject {
  const { jobTemplate, timeZone: zone = '' } = cronJob.spec;
  const { labels, annotations } = jobTemplate.metadata as KubernetesObject['metadata'];
  const metadata = {
    name: jobName(cronJob, scheduled),
    ...(labels && { labels }),
    annotations: { ...annotations, [scheduledAnnotation]: zonedText(timeZone(zone), scheduled) },
    ownerReferences: [controllerReference(kinds.cronJobs, cronJob)],
  };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: jobTemplate.spec };
}

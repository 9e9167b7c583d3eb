import { cronJobColumns } from '#kinds/batch/v1/cron-job-columns.ts';
import { cronJobStrategy } from '#kinds/batch/v1/cron-job-strategy.ts';
import { CronJob, CronJobList } from '#kinds/batch/v1/cron-job.ts';
import { defineResource } from '#resource/definition.ts';

export const cronjobs = defineResource<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  namespaced: true,
  schema: CronJob,
  list: CronJobList,
  shortNames: ['cj'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'cronjobs', hash: 'sd5LIXh4Fjs=' },
  lifecycle: { introduced: '1.21' },
  strategy: cronJobStrategy,
  columns: cronJobColumns,
  subresources: [{ name: 'status', kind: 'CronJob', verbs: ['get', 'patch', 'update'] }],
});

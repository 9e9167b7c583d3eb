import { cronJobColumns } from '#kinds/batch/v1/cron-job-columns.ts';
import { cronJobStrategy, defaultCronJob } from '#kinds/batch/v1/cron-job-strategy.ts';
import { CronJob, CronJobList } from '#kinds/batch/v1/cron-job.ts';
import { jobSpecDefaults } from '#kinds/batch/v1/job-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const cronjobs = defineResource<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  namespaced: true,
  schema: CronJob,
  defaults: [...jobSpecDefaults, defaultsOf(CronJob, defaultCronJob)],
  list: CronJobList,
  shortNames: ['cj'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'cronjobs', hash: 'sd5LIXh4Fjs=' },
  lifecycle: { introduced: '1.21' },
  strategy: cronJobStrategy,
  columns: cronJobColumns,
  subresources: [{ name: 'status', kind: 'CronJob', verbs: ['get', 'patch', 'update'] }],
});

import { jobColumns } from '#kinds/batch/v1/job-columns.ts';
import { defaultJob, jobStrategy } from '#kinds/batch/v1/job-strategy.ts';
import { Job, JobList } from '#kinds/batch/v1/job.ts';
import { jobSpecDefaults } from '#kinds/batch/v1/job-defaults.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const jobs = defineResource<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  singular: 'job',
  namespaced: true,
  schema: Job,
  defaults: [...jobSpecDefaults, defaultsOf(Job, defaultJob)],
  list: JobList,
  categories: ['all'],
  storage: { version: 'v1', prefix: 'jobs', hash: 'mudhfqk/qZY=' },
  lifecycle: { introduced: '1.2' },
  strategy: jobStrategy,
  columns: jobColumns,
  subresources: [{ name: 'status', kind: 'Job', verbs: ['get', 'patch', 'update'] }],
});

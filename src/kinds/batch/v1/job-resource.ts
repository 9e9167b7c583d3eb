import { jobColumns } from '#kinds/batch/v1/job-columns.ts';
import { jobStrategy } from '#kinds/batch/v1/job-strategy.ts';
import { Job, JobList } from '#kinds/batch/v1/job.ts';
import { defineResource } from '#resource/definition.ts';

export const jobs = defineResource<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  singular: 'job',
  namespaced: true,
  schema: Job,
  list: JobList,
  categories: ['all'],
  storage: { version: 'v1', prefix: 'jobs', hash: 'mudhfqk/qZY=' },
  lifecycle: { introduced: '1.2' },
  strategy: jobStrategy,
  columns: jobColumns,
  subresources: [{ name: 'status', kind: 'Job', verbs: ['get', 'patch', 'update'] }],
});

import { JobSpec } from '#kinds/batch/v1/job-spec.ts';
import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int32, int64, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const CronJob = rootStruct(
  'io.k8s.api.batch.v1.CronJob',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<CronJobSpec>(CronJobSpec), { mandatory: true }),
    status: embedded(3, ref<CronJobStatus>(CronJobStatus)),
  }),
  { gvks: [['batch', 'v1', 'CronJob']] },
);
export interface CronJob extends Infer<typeof CronJob> {}

export const CronJobList = rootStruct(
  'io.k8s.api.batch.v1.CronJobList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CronJob>(CronJob))),
  }),
  { gvks: [['batch', 'v1', 'CronJobList']] },
);
export interface CronJobList extends Infer<typeof CronJobList> {}

export const CronJobSpec = struct('io.k8s.api.batch.v1.CronJobSpec', () => ({
  schedule: required(1, string),
  timeZone: pointer(8, string),
  startingDeadlineSeconds: pointer(2, int64),
  concurrencyPolicy: optional(3, string, { enum: ['Allow', 'Forbid', 'Replace'], goType: 'v1.ConcurrencyPolicy' }),
  suspend: pointer(4, boolean),
  jobTemplate: required(5, ref<JobTemplateSpec>(JobTemplateSpec)),
  successfulJobsHistoryLimit: pointer(6, int32),
  failedJobsHistoryLimit: pointer(7, int32),
}));
export interface CronJobSpec extends Infer<typeof CronJobSpec> {}

export const JobTemplateSpec = struct('io.k8s.api.batch.v1.JobTemplateSpec', () => ({
  metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
  spec: embedded(2, ref<JobSpec>(JobSpec)),
}));
export interface JobTemplateSpec extends Infer<typeof JobTemplateSpec> {}

export const CronJobStatus = struct('io.k8s.api.batch.v1.CronJobStatus', () => ({
  active: optional(1, list(ref<ObjectReference>(ObjectReference)), { merge: 'atomic' }),
  lastScheduleTime: pointer(4, time),
  lastSuccessfulTime: pointer(5, time),
}));
export interface CronJobStatus extends Infer<typeof CronJobStatus> {}

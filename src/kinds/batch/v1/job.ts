import { JobSpec } from '#kinds/batch/v1/job-spec.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const Job = rootStruct(
  'io.k8s.api.batch.v1.Job',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<JobSpec>(JobSpec)),
    status: embedded(3, ref<JobStatus>(JobStatus)),
  }),
  { gvks: [['batch', 'v1', 'Job']] },
);
export interface Job extends Infer<typeof Job> {}

export const JobList = rootStruct(
  'io.k8s.api.batch.v1.JobList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Job>(Job))),
  }),
  { gvks: [['batch', 'v1', 'JobList']] },
);
export interface JobList extends Infer<typeof JobList> {}

export const JobStatus = struct('io.k8s.api.batch.v1.JobStatus', () => ({
  conditions: optional(1, list(ref<JobCondition>(JobCondition)), { merge: 'atomic', patch: { strategy: 'merge', key: 'type' } }),
  startTime: pointer(2, time),
  completionTime: pointer(3, time),
  active: optional(4, int32),
  succeeded: optional(5, int32),
  failed: optional(6, int32),
  terminating: pointer(11, int32),
  completedIndexes: optional(7, string),
  failedIndexes: pointer(10, string),
  uncountedTerminatedPods: pointer(8, ref<UncountedTerminatedPods>(UncountedTerminatedPods)),
  ready: pointer(9, int32),
}));
export interface JobStatus extends Infer<typeof JobStatus> {}

export const JobCondition = struct('io.k8s.api.batch.v1.JobCondition', () => ({
  type: required(1, string, { goType: 'v1.JobConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastProbeTime: optional(3, time),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
}));
export interface JobCondition extends Infer<typeof JobCondition> {}

export const UncountedTerminatedPods = struct('io.k8s.api.batch.v1.UncountedTerminatedPods', () => ({
  succeeded: optional(1, list(string), { merge: 'set', goType: '[]types.UID' }),
  failed: optional(2, list(string), { merge: 'set', goType: '[]types.UID' }),
}));
export interface UncountedTerminatedPods extends Infer<typeof UncountedTerminatedPods> {}

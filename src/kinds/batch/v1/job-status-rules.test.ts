import { jobs } from '#kinds/batch/v1/job-resource.ts';
import { describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const done = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' }));

const runningJob = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'two' },
  spec: { completions: 3, parallelism: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  status: { startTime: '2030-01-01T00:00:00Z', active: 1, succeeded: 1, failed: 1 },
};

describeUpdateRefusals(
  'status of running jobs',
  jobs,
  runningJob,
  [
    [
      'an end without completion',
      { 'status.completionTime': '2030-01-01T00:01:00Z' },
      'status.completionTime: Invalid value: "2030-01-01T00:01:00Z": cannot set completionTime when there is no Complete=True condition',
    ],
    [
      'a completion without an end',
      { 'status.active': 0, 'status.conditions': done },
      'status.completionTime: Required value: completionTime is required for Complete jobs',
    ],
    [
      'an end before the start',
      { 'status.active': 0, 'status.completionTime': '2029-01-01T00:00:00Z', 'status.conditions': done },
      'status.completionTime: Invalid value: "2029-01-01T00:00:00Z": must be equal to or after `startTime`',
    ],
    [
      'a finished job with active pods',
      { 'status.completionTime': '2030-01-01T00:01:00Z', 'status.conditions': done },
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
    ],
    [
      'a finished job with ending pods',
      { 'status.active': 0, 'status.terminating': 1, 'status.completionTime': '2030-01-01T00:01:00Z', 'status.conditions': done },
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
    ],
    [
      'a finished job with uncounted pods',
      {
        'status.active': 0,
        'status.uncountedTerminatedPods': { succeeded: ['a'] },
        'status.completionTime': '2030-01-01T00:01:00Z',
        'status.conditions': done,
      },
      'status.uncountedTerminatedPods: Invalid value: {"Succeeded":["a"],"Failed":null}: must be empty for finished job',
    ],
    [
      'a finished job that never began',
      { 'status.active': 0, 'status.startTime': undefined, 'status.completionTime': '2030-01-01T00:01:00Z', 'status.conditions': done },
      'status.startTime: Invalid value: null: field is immutable for unsuspended job once set',
      'status.startTime: Required value: startTime is required for finished job',
    ],
    ['fewer failures than before', { 'status.failed': 0 }, 'status.failed: Invalid value: 0: cannot decrease the failed counter'],
    ['fewer successes than before', { 'status.succeeded': 0 }, 'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter'],
    [
      'another start',
      { 'status.startTime': '2030-01-01T01:00:00Z' },
      'status.startTime: Invalid value: "2030-01-01T01:00:00Z": field is immutable for unsuspended job once set',
    ],
  ],
  'status',
);

const doneJob = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'three' },
  spec: { completions: 3, parallelism: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  status: {
    startTime: '2030-01-01T00:00:00Z',
    completionTime: '2030-01-01T00:01:00Z',
    succeeded: 3,
    conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: '2030-01-01T00:01:00Z',
      lastTransitionTime: '2030-01-01T00:01:00Z',
    })),
  },
};

describeUpdateRefusals(
  'status of jobs that are done',
  jobs,
  doneJob,
  [
    ['another end', { 'status.completionTime': '2030-01-01T00:02:00Z' }, 'status.completionTime: Invalid value: "2030-01-01T00:02:00Z": field is immutable'],
    [
      'a completion that is none any more',
      { 'status.conditions.1.status': 'False' },
      'status.completionTime: Invalid value: "2030-01-01T00:01:00Z": cannot set completionTime when there is no Complete=True condition',
      'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    ],
    [
      'no conditions any more',
      { 'status.conditions': [] },
      'status.completionTime: Invalid value: "2030-01-01T00:01:00Z": cannot set completionTime when there is no Complete=True condition',
      'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
      'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    ],
  ],
  'status',
);

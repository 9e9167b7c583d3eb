import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { JobsInTest, type JobStatusSeen, type PodSeen } from '../../test/support/jobs-in-test.ts';

let jobs: JobsInTest;
beforeAll(async () => {
  jobs = await JobsInTest.start(['--controllers=job,garbagecollector']);
});
afterAll(() => jobs[Symbol.asyncDispose]());
beforeEach(() => jobs.newNamespace());

const soon = { timeout: 20_000, interval: 30 };
const conditions = ({ conditions: all = [] }: JobStatusSeen) => all.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
const indexOf = ({ metadata }: PodSeen) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'];

test('one pod is made, held by a finalizer until its success is counted, and the Job completes', async () => {
  await jobs.create('one', {});
  const [pod] = await jobs.pods(1);
  expect(pod?.metadata).toMatchObject({
    finalizers: ['batch.kubernetes.io/job-tracking'],
    labels: { 'batch.kubernetes.io/job-name': 'one' },
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'one', controller: true, blockOwnerDeletion: true }],
  });
  expect(pod?.metadata.name).toMatch(/^one-[a-z0-9]{5}$/);
  await expect.poll(() => jobs.status('one'), soon).toMatchObject({ active: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
  await jobs.run(pod);
  await expect.poll(() => jobs.status('one'), soon).toMatchObject({ active: 1, ready: 1 });
  await jobs.succeed(pod);
  await expect
    .poll(async () => conditions(await jobs.status('one')), soon)
    .toEqual(['SuccessCriteriaMet=True CompletionsReached', 'Complete=True CompletionsReached']);
  const status = await jobs.status('one');
  expect(status).toMatchObject({ succeeded: 1, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
  expect(status).toHaveProperty('completionTime');
  expect(status).not.toHaveProperty('active');
  expect((await jobs.pods(1))[0]?.metadata).not.toHaveProperty('finalizers');
  await expect.poll(() => jobs.events(), soon).toEqual([`Normal SuccessfulCreate: Created pod: ${pod?.metadata.name}`, 'Normal Completed: Job completed']);
});

test('never more pods run than completions are left', async () => {
  await jobs.create('many', { parallelism: 2, completions: 3 });
  const first = await jobs.pods(2);
  await jobs.succeed(first[0]);
  const running = await jobs.activePods(2);
  await jobs.succeed(running[0]);
  await expect.poll(async () => (await jobs.status('many')).succeeded, soon).toBe(2);
  const [last] = await jobs.activePods(1);
  await jobs.succeed(last);
  await expect.poll(async () => conditions(await jobs.status('many')), soon).toContain('Complete=True CompletionsReached');
  expect(await jobs.pods(3)).toHaveLength(3);
});

test('without a number of completions the Job ends when one pod has succeeded and none runs', async () => {
  await jobs.create('queue', { parallelism: 2, completions: null });
  const [first, second] = await jobs.pods(2);
  await jobs.succeed(first);
  await expect.poll(async () => (await jobs.status('queue')).succeeded, soon).toBe(1);
  expect(conditions(await jobs.status('queue'))).toEqual([]);
  await jobs.fail(second);
  await expect.poll(() => jobs.status('queue'), soon).toMatchObject({ succeeded: 1, failed: 1 });
  expect(conditions(await jobs.status('queue'))).toContain('Complete=True CompletionsReached');
  expect(await jobs.pods(2)).toHaveLength(2);
});

describe('pods that fail', () => {
  test('are replaced later and later, and the Job fails when there were too many', async () => {
    await jobs.create('failing', { backoffLimit: 1 });
    const [first] = await jobs.pods(1);
    await jobs.fail(first);
    await expect.poll(async () => (await jobs.status('failing')).failed, soon).toBe(1);
    jobs.time.advance(4_000);
    expect(await jobs.pods(1)).toHaveLength(1);
    jobs.time.advance(7_000);
    const [second] = await jobs.activePods(1);
    await jobs.fail(second);
    await expect
      .poll(async () => conditions(await jobs.status('failing')), soon)
      .toEqual(['FailureTarget=True BackoffLimitExceeded', 'Failed=True BackoffLimitExceeded']);
    expect(await jobs.status('failing')).toMatchObject({ failed: 2, ready: 0, terminating: 0 });
    await expect.poll(() => jobs.events(), soon).toContain('Warning BackoffLimitExceeded: Job has reached the specified backoff limit');
  });

  test('end the others when the Job fails', async () => {
    await jobs.create('both', { backoffLimit: 0, parallelism: 2, completions: 2 });
    const [first, second] = await jobs.pods(2);
    await jobs.fail(first);
    await expect.poll(async () => conditions(await jobs.status('both')), soon).toContain('Failed=True BackoffLimitExceeded');
    await expect.poll(() => jobs.events(), soon).toContain(`Normal SuccessfulDelete: Deleted pod: ${second?.metadata.name}`);
    expect(await jobs.status('both')).toMatchObject({ failed: 2 });
  });

  test('count by the restarts of their containers where the kubelet restarts them', async () => {
    await jobs.create('restarting', { backoffLimit: 3 }, { restartPolicy: 'OnFailure' });
    const [pod] = await jobs.pods(1);
    await jobs.setStatus(pod, { phase: 'Running', containerStatuses: [{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 3 }] });
    await expect.poll(async () => conditions(await jobs.status('restarting')), soon).toContain('Failed=True BackoffLimitExceeded');
  });

  test('fail the whole Job where a rule of the failure policy says so', async () => {
    const onExitCodes = { operator: 'In', values: [42] };
    await jobs.create('rules', { podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] } });
    const [pod] = await jobs.pods(1);
    await jobs.fail(pod, 42);
    await expect
      .poll(async () => conditions(await jobs.status('rules')), soon)
      .toEqual(['FailureTarget=True PodFailurePolicy', 'Failed=True PodFailurePolicy']);
    const message = `Container c for pod ${jobs.namespace}/${pod?.metadata.name} failed with exit code 42 matching FailJob rule at index 0`;
    expect((await jobs.status('rules')).conditions?.[1]?.message).toBe(message);
  });

  test('do not count where a rule ignores them, and are replaced all the same', async () => {
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }];
    await jobs.create('ignored', { backoffLimit: 0, podFailurePolicy: { rules } });
    const [pod] = await jobs.pods(1);
    await jobs.setStatus(pod, { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True' }] });
    await expect.poll(async () => (await jobs.allPods())[0]?.metadata.finalizers, soon).toBeUndefined();
    jobs.time.advance(11_000);
    await jobs.activePods(1);
    expect(await jobs.status('ignored')).not.toHaveProperty('failed');
  });
});

describe('an indexed Job', () => {
  const indexed = { completionMode: 'Indexed', parallelism: 3, completions: 3 };

  test('gives each pod its index in name, host name, label, annotation and environment', async () => {
    await jobs.create('steps', indexed);
    const pods = (await jobs.pods(3)).toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    expect(pods.map(indexOf)).toEqual(['0', '1', '2']);
    expect(pods[1]).toMatchObject({
      metadata: { generateName: 'steps-1-', labels: { 'batch.kubernetes.io/job-completion-index': '1' } },
      spec: {
        hostname: 'steps-1',
        containers: [
          { env: [{ name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-completion-index']" } } }] },
        ],
      },
    });
    await jobs.succeed(pods[2]);
    await jobs.succeed(pods[0]);
    await expect.poll(async () => (await jobs.status('steps')).completedIndexes, soon).toBe('0,2');
    await jobs.succeed(pods[1]);
    await expect.poll(() => jobs.status('steps'), soon).toMatchObject({ completedIndexes: '0-2', succeeded: 3 });
  });

  test('with a limit for each index goes on with the others, and fails in the end', async () => {
    await jobs.create('limited', { ...indexed, backoffLimitPerIndex: 1 });
    const pods = await jobs.pods(3);
    const of = (index: string) => pods.find((pod) => indexOf(pod) === index);
    await jobs.fail(of('1'));
    jobs.time.advance(11_000);
    await expect.poll(async () => (await jobs.allPods()).filter((pod) => indexOf(pod) === '1').length, soon).toBe(2);
    const again = (await jobs.allPods()).find((pod) => indexOf(pod) === '1' && pod.status.phase === 'Pending');
    expect(again?.metadata.annotations).toMatchObject({ 'batch.kubernetes.io/job-index-failure-count': '1' });
    await jobs.fail(again);
    await expect.poll(() => jobs.status('limited'), soon).toMatchObject({ failedIndexes: '1', failed: 2 });
    await jobs.succeed(of('0'));
    await jobs.succeed(of('2'));
    await expect.poll(async () => conditions(await jobs.status('limited')), soon).toEqual(['FailureTarget=True FailedIndexes', 'Failed=True FailedIndexes']);
    expect(await jobs.status('limited')).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1' });
  });

  test('fails at once where a rule fails an index and no more may', async () => {
    const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'NotIn', values: [1] } }];
    await jobs.create('index', { ...indexed, backoffLimitPerIndex: 5, maxFailedIndexes: 0, podFailurePolicy: { rules } });
    const [pod] = await jobs.pods(3);
    await jobs.fail(pod, 7);
    await expect.poll(async () => conditions(await jobs.status('index')), soon).toContain('Failed=True MaxFailedIndexesExceeded');
  });

  test('succeeds as soon as its success policy is met, and ends what still runs', async () => {
    await jobs.create('early', { ...indexed, successPolicy: { rules: [{ succeededIndexes: '1-2', succeededCount: 1 }] } });
    const pods = await jobs.pods(3);
    await jobs.succeed(pods.find((pod) => indexOf(pod) === '2'));
    await expect
      .poll(async () => conditions(await jobs.status('early')), soon)
      .toEqual(['SuccessCriteriaMet=True SuccessPolicy', 'Complete=True SuccessPolicy']);
    expect(await jobs.status('early')).toMatchObject({ succeeded: 1, completedIndexes: '2' });
    await expect.poll(async () => (await jobs.allPods()).length, soon).toBe(1);
  });

  test('grows and shrinks with its completions', async () => {
    await jobs.create('elastic', indexed);
    await jobs.pods(3);
    await jobs.patch('elastic', { spec: { completions: 1, parallelism: 1 } });
    await expect.poll(async () => (await jobs.allPods()).map(indexOf), soon).toEqual(['0']);
    await jobs.patch('elastic', { spec: { completions: 2, parallelism: 2 } });
    await expect.poll(async () => (await jobs.allPods()).map(indexOf), soon).toEqual(['0', '1']);
  });
});

test('a suspended Job has no pods; when it goes on its time begins anew', async () => {
  await jobs.create('paused', { parallelism: 2, completions: 2 });
  await jobs.pods(2);
  const { startTime } = await jobs.status('paused');
  expect(startTime).toBeDefined();
  await jobs.patch('paused', { spec: { suspend: true } });
  await expect.poll(() => jobs.allPods(), soon).toEqual([]);
  await expect.poll(async () => conditions(await jobs.status('paused')), soon).toEqual(['Suspended=True JobSuspended']);
  expect(await jobs.status('paused')).not.toHaveProperty('startTime');
  expect(await jobs.status('paused')).not.toHaveProperty('failed');
  jobs.time.advance(5_000);
  await jobs.patch('paused', { spec: { suspend: false } });
  await jobs.pods(2);
  await expect.poll(async () => conditions(await jobs.status('paused')), soon).toEqual(['Suspended=False JobResumed']);
  expect((await jobs.status('paused')).startTime).not.toBe(startTime);
  const told = await jobs.events();
  expect(told).toEqual(expect.arrayContaining(['Normal Suspended: Job suspended', 'Normal Resumed: Job resumed']));
});

test('a Job fails when its time is over', async () => {
  await jobs.create('slow', { activeDeadlineSeconds: 30 });
  await jobs.pods(1);
  await expect.poll(async () => (await jobs.status('slow')).active, soon).toBe(1);
  jobs.time.advance(31_000);
  await expect.poll(async () => conditions(await jobs.status('slow')), soon).toEqual(['FailureTarget=True DeadlineExceeded', 'Failed=True DeadlineExceeded']);
  expect(await jobs.allPods()).toEqual([]);
});

test('a Job of another controller is left alone', async () => {
  await jobs.create('foreign', { managedBy: 'example.com/runner' });
  await jobs.create('ours', {});
  await expect.poll(async () => (await jobs.allPods()).length, soon).toBe(1);
  expect((await jobs.allPods())[0]?.metadata.name).toMatch(/^ours-/);
  expect(await jobs.status('foreign')).toEqual({});
});

test('a pod that goes is replaced at once, or only when it has failed', async () => {
  await jobs.create('eager', {});
  const [pod] = await jobs.pods(1);
  await jobs.setStatus(pod, { phase: 'Running' });
  await jobs.holdAndDelete(pod);
  await expect.poll(() => jobs.status('eager'), soon).toMatchObject({ terminating: 1, failed: 1 });
  await jobs.newNamespace();
  await jobs.create('patient', { podReplacementPolicy: 'Failed' });
  const [held] = await jobs.pods(1);
  await jobs.setStatus(held, { phase: 'Running' });
  await jobs.holdAndDelete(held);
  await expect.poll(() => jobs.status('patient'), soon).toMatchObject({ terminating: 1 });
  jobs.time.advance(60_000);
  expect(await jobs.allPods()).toHaveLength(1);
  expect(await jobs.status('patient')).not.toHaveProperty('failed');
  await jobs.fail(held);
  jobs.time.advance(60_000);
  await expect.poll(async () => (await jobs.status('patient')).failed, soon).toBe(1);
  await jobs.activePods(1);
});

test('pods of a Job that is deleted are let go, whether they stay or not', async () => {
  await jobs.create('gone', {});
  await jobs.create('left', {});
  await jobs.pods(2);
  await jobs.remove('gone', 'Background');
  await expect.poll(async () => (await jobs.allPods()).map(({ metadata }) => metadata.name.slice(0, 4)), soon).toEqual(['left']);
  await jobs.remove('left', 'Orphan');
  await expect
    .poll(async () => (await jobs.allPods()).map(({ metadata }) => [metadata.ownerReferences, metadata.finalizers]), soon)
    .toEqual([[undefined, undefined]]);
});

test('an orphan that a Job selects by hand is adopted and held', async () => {
  await jobs.createPod('lost', { app: 'mine' });
  await jobs.create('taker', { manualSelector: true, selector: { matchLabels: { app: 'mine' } } }, {}, { app: 'mine' });
  await expect.poll(async () => (await jobs.allPods())[0]?.metadata.finalizers, soon).toEqual(['batch.kubernetes.io/job-tracking']);
  const [pod] = await jobs.pods(1);
  expect(pod?.metadata.ownerReferences).toMatchObject([{ kind: 'Job', name: 'taker' }]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PassingTime } from '../../test/support/passing-time.ts';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const time = new PassingTime();
let server: ServerInTest;
beforeAll(async () => {
  server = await ServerInTest.start({ flags: ['--controllers=cronjob,garbagecollector'], clock: time, timers: time });
});
afterAll(() => server[Symbol.asyncDispose]());

const soon = { timeout: 20_000, interval: 30 };
const merge = { type: 'application/merge-patch+json' };
const minute = 60_000;
let count = 0;
let namespace = '';
let batch = '';
beforeEach(async () => {
  namespace = `cron-${++count}`;
  batch = `/apis/batch/v1/namespaces/${namespace}`;
  await server.make('/api/v1/namespaces', { metadata: { name: namespace } });
});

const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };

async function cronJob(spec: object): Promise<void> {
  const jobTemplate = { metadata: { labels: { by: 'cron' }, annotations: { note: 'kept' } }, spec: { template } };
  await server.make(`${batch}/cronjobs`, { metadata: { name: 'tick' }, spec: { schedule: '* * * * *', jobTemplate, ...spec } });
}

interface Seen {
  readonly metadata: { readonly name: string; readonly labels: object; readonly annotations: Record<string, string>; readonly ownerReferences: object[] };
  readonly status: { readonly active?: { readonly name: string }[]; readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string };
}

async function jobs(): Promise<readonly Seen[]> {
  return (await server.ask('GET', `${batch}/jobs`)).json.items as unknown as Seen[];
}

async function status(): Promise<Seen['status']> {
  return (await server.ask('GET', `${batch}/cronjobs/tick`)).json.status as unknown as Seen['status'];
}

async function events(): Promise<readonly string[]> {
  const { items } = (await server.ask('GET', `/api/v1/namespaces/${namespace}/events`)).json;
  return items.map((event) => `${(event as unknown as { type: string }).type} ${event.reason}: ${event.message}`);
}

/** To just after the next full minute. */
async function nextMinute(minutes = 1): Promise<void> {
  time.advance(minutes * minute - (time.now().getTime() % minute) + 150);
}

async function finish(name: string, type: 'Complete' | 'Failed'): Promise<void> {
  const now = time.now().toISOString();
  const conditions = [type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', type].map((of) => ({ type: of, status: 'True', lastTransitionTime: now }));
  const ended = { startTime: now, ...(type === 'Complete' && { completionTime: now, succeeded: 1 }), conditions };
  const answer = await server.ask('PATCH', `${batch}/jobs/${name}/status`, { status: ended }, merge);
  expect(answer.code, answer.text).toBe(200);
}

test('every minute makes a Job that is named by it, and the status lists those that run', async () => {
  await cronJob({ timeZone: 'Asia/Kolkata' });
  await nextMinute();
  await expect.poll(jobs, soon).toHaveLength(1);
  const [job] = await jobs();
  const scheduled = Math.floor(time.now().getTime() / minute) * minute;
  expect(job?.metadata).toMatchObject({
    name: `tick-${scheduled / minute}`,
    labels: { by: 'cron' },
    annotations: { note: 'kept' },
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', controller: true, blockOwnerDeletion: true }],
  });
  const told = job?.metadata.annotations['batch.kubernetes.io/cronjob-scheduled-timestamp'];
  expect(told).toMatch(/\+05:30$/);
  expect(Date.parse(told ?? '')).toBe(scheduled);
  await expect.poll(status, soon).toMatchObject({ active: [{ name: job?.metadata.name, kind: 'Job' }], lastScheduleTime: expect.any(String) });
  await nextMinute();
  await expect.poll(async () => (await status()).active?.length, soon).toBe(2);
  await expect.poll(events, soon).toContain(`Normal SuccessfulCreate: Created job ${job?.metadata.name}`);
});

test('finished Jobs leave the list and are kept up to their limits', async () => {
  await cronJob({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
  const ends = ['Complete', 'Failed', 'Complete'] as const;
  for (const end of ends) {
    const before = await status();
    await nextMinute();
    await expect.poll(async () => (await status()).lastScheduleTime, soon).not.toBe(before.lastScheduleTime);
    const [running] = (await status()).active ?? [];
    await finish(running?.name ?? '', end);
    await expect.poll(async () => (await status()).active, soon).toBeUndefined();
    // One that is not kept at all is deleted before it is seen as completed.
    const told =
      end === 'Failed' ? `SuccessfulDelete: Deleted job ${running?.name}` : `SawCompletedJob: Saw completed job: ${running?.name}, condition: ${end}`;
    await expect.poll(events, soon).toContain(`Normal ${told}`);
  }
  await expect.poll(async () => (await jobs()).length, soon).toBe(1);
  expect((await status()).lastSuccessfulTime).toBeDefined();
});

test('with Forbid nothing starts while a Job runs', async () => {
  await cronJob({ concurrencyPolicy: 'Forbid' });
  await nextMinute();
  await expect.poll(async () => (await status()).active?.length, soon).toBe(1);
  await nextMinute();
  const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
  await expect.poll(events, soon).toContain(`Normal JobAlreadyActive: ${message}`);
  expect(await jobs()).toHaveLength(1);
});

test('with Replace the Job that runs is deleted', async () => {
  await cronJob({ concurrencyPolicy: 'Replace' });
  await nextMinute();
  await expect.poll(async () => (await status()).active?.length, soon).toBe(1);
  const [first] = await jobs();
  await nextMinute();
  await expect.poll(events, soon).toContain(`Normal SuccessfulDelete: Deleted job ${first?.metadata.name}`);
  await expect.poll(async () => (await jobs()).map(({ metadata }) => metadata.name), soon).not.toContain(first?.metadata.name);
  expect((await status()).active).toHaveLength(1);
});

test('a suspended CronJob makes up for the latest missed start alone, and not past its deadline', async () => {
  await cronJob({ suspend: true });
  await nextMinute(150);
  expect(await jobs()).toHaveLength(0);
  await server.ask('PATCH', `${batch}/cronjobs/tick`, { spec: { suspend: false } }, merge);
  await expect.poll(jobs, soon).toHaveLength(1);
  const warning = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
  await expect.poll(events, soon).toContain(`Warning TooManyMissedTimes: ${warning}`);
});

test('a schedule that never comes due is told', async () => {
  await cronJob({ schedule: '0 0 31 2 *' });
  const message = 'invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second';
  await expect.poll(events, soon).toContain(`Warning InvalidSchedule: ${message}`);
});

test('what a changed schedule would have started before is not made up for', async () => {
  await cronJob({ schedule: '0 0 1 1 *', successfulJobsHistoryLimit: 0 });
  await nextMinute(10);
  await server.ask('PATCH', `${batch}/cronjobs/tick`, { spec: { schedule: '*/2 * * * *' } }, merge);
  await nextMinute(2);
  await expect.poll(jobs, soon).toHaveLength(1);
});

test('a Job of another that has the name already is left alone', async () => {
  const next = Math.floor(time.now().getTime() / minute) + 1;
  await server.make(`${batch}/jobs`, { metadata: { name: `tick-${next}` }, spec: { template } });
  await cronJob({});
  await nextMinute();
  await nextMinute();
  await expect.poll(async () => (await status()).active?.map(({ name }) => name), soon).toEqual([`tick-${next + 1}`]);
});

// CronJobs that are due, in time zones, beside a Job that still runs, too often or too late: what batch-walk.mjs does with CronJobs. Times are counted
// from when the program began, so that both servers name their Jobs alike, and the walk sets when a CronJob was last at work, so that nothing waits.
import { playPods } from './job-walk.mjs';

const namespace = 'walk';
const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
const cronJobs = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
export const comparedCronJobs = { cronjobs: cronJobs };

const began = Date.now();
const minutesAgo = (minutes) => new Date(began - minutes * 60_000);
const lastAtWork = { lastScheduleTime: minutesAgo(30).toISOString().replace(/\.\d+/, '') };

/** By name: the spec, and how pods end (see job-walk.mjs). */
const specs = {
  allowed: [{}, 'runs'],
  forbidden: [{ concurrencyPolicy: 'Forbid' }, 'runs'],
  replacing: [{ concurrencyPolicy: 'Replace' }, 'runs'],
  'forbidden-until-done': [{ concurrencyPolicy: 'Forbid' }, 'runs'],
  kathmandu: [{ timeZone: 'Asia/Kathmandu' }, 'runs'],
  suspended: [{ suspend: true }, 'runs'],
  'too-late': [{ startingDeadlineSeconds: 120 }, 'runs'],
  'not-too-late': [{ startingDeadlineSeconds: 1200 }, 'runs'],
  'too-often': [{ schedule: `* ${[3, 2].map((hours) => minutesAgo(hours * 60).getUTCHours()).join()} * * *` }, 'runs'],
  short: [{ successfulJobsHistoryLimit: 1 }, 'ok'],
  failing: [{ failedJobsHistoryLimit: 1 }, 1],
  missed: [{}, 'runs'],
};

export async function walkCronJobs(steps) {
  const { ask, merge, list, until } = steps;
  const ends = Object.fromEntries(Object.entries(specs).map(([name, [, end]]) => [name, end]));
  for (const [name, [spec]] of Object.entries(specs)) await makeCronJob(steps, name, spec);
  const ofCronJob = async (name) => (await list(jobs)).filter(({ metadata }) => metadata.ownerReferences?.[0].name === name);
  const plays = (holds) =>
    until(async () => {
      const didSomething = await playPods(steps, 'cron', ({ metadata }) => ends[metadata.labels.cron]);
      return !didSomething && holds();
    });
  const dueAgain = async (name, minutes) => {
    await merge(`${cronJobs}/${name}`, { spec: { schedule: scheduleAt(minutes, specs[name][0].timeZone) } });
    // A new schedule is looked at when it is next due; any other change at once.
    await merge(`${cronJobs}/${name}`, { metadata: { annotations: { due: String(minutes) } } });
  };

  for (const name of ['allowed', 'forbidden', 'replacing', 'forbidden-until-done', 'missed'])
    await plays(async () => (await ofCronJob(name))[0]?.status.ready === 1);
  const [missed] = await ofCronJob('missed');
  await ask('DELETE', `${jobs}/${missed.metadata.name}?propagationPolicy=Background`);
  for (const name of ['allowed', 'forbidden', 'replacing', 'forbidden-until-done']) await dueAgain(name, 5);
  await plays(async () => (await ofCronJob('allowed')).length === 2);
  await endFirst(steps, await ofCronJob('forbidden-until-done'));
  await plays(async () => (await ofCronJob('forbidden-until-done')).length === 2);
  for (const minutes of [6, 3]) {
    for (const name of ['short', 'failing']) {
      await plays(async () => (await ofCronJob(name)).some(hasEnded) && (await ask('GET', `${cronJobs}/${name}`)).status.active === undefined);
      await dueAgain(name, minutes);
    }
  }
  for (const name of ['short', 'failing']) await plays(async () => (await ofCronJob(name)).some((job) => hasEnded(job) && dueAt(job) === minuteOf(3)));
}

async function makeCronJob({ ask, merge }, name, spec) {
  const podTemplate = { metadata: { labels: { cron: name } }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const jobTemplate = { metadata: { labels: { of: name }, annotations: { note: 'kept' } }, spec: { backoffLimit: 0, template: podTemplate } };
  const whole = { schedule: scheduleAt(10, spec.timeZone), timeZone: 'Etc/UTC', jobTemplate, ...spec };
  await ask('POST', cronJobs, { metadata: { name }, spec: whole });
  const status =
    name === 'too-often'
      ? {
          lastScheduleTime: minutesAgo(5 * 60)
            .toISOString()
            .replace(/\.\d+/, ''),
        }
      : lastAtWork;
  await merge(`${cronJobs}/${name}/status`, { status });
}

/** Once a day, and today so many minutes before the walk began. */
function scheduleAt(minutes, timeZone = 'Etc/UTC') {
  const parts = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' }).formatToParts(minutesAgo(minutes));
  const part = (type) => Number(parts.find((one) => one.type === type).value);
  return `${part('minute')} ${part('hour')} * * *`;
}

async function endFirst({ list, merge }, [job]) {
  const [pod] = await list(`/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3D${job.metadata.name}`);
  await merge(`/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/status`, { status: { phase: 'Succeeded' } });
}

function hasEnded({ status }) {
  return status.conditions?.some(({ type, status: is }) => ['Complete', 'Failed'].includes(type) && is === 'True');
}

/** Jobs are named after the minute for which they are made. */
function dueAt({ metadata }) {
  return Number(metadata.name.split('-').at(-1));
}

function minuteOf(minutes) {
  return Math.floor(minutesAgo(minutes).getTime() / 60_000);
}

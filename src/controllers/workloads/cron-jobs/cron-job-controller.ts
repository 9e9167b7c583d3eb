// Makes a Job whenever the schedule of a CronJob comes due, keeps the list of those that run, and deletes finished ones that are too many.
import { ApiError } from '#api/api-error.ts';
import { apiVersionOf } from '#api/names.ts';
import { type Follower, type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import { goQuote } from '#base/go-text.ts';
import { messageOf } from '#base/message-of.ts';
import { exponentialBuckets } from '#base/metric-set.ts';
import type { Histogram } from '#base/metrics.ts';
import { type CronSchedule, parseCronSchedule } from '#base/time/cron-schedule.ts';
import { isTimeZone } from '#base/time/time-zones.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type KeySource, type LoopParts } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import { controllerOf } from '#controllers/workloads/controlled-objects.ts';
import { type CronFacts, dueTime, nextLookMs } from '#controllers/workloads/cron-jobs/due-times.ts';
import { jobFromTemplate, jobName, type StoredCronJob } from '#controllers/workloads/cron-jobs/job-from-template.ts';
import { finishedCondition, isFinished, type StoredJob } from '#controllers/workloads/jobs/job-state.ts';

export interface CronJobOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** The time zone of schedules that name none: that of this process. */
  readonly localZone: string;
}

type Active = NonNullable<NonNullable<StoredCronJob['status']>['active']>[number];

/** A CronJob while it is looked at, with the status that it will have. */
interface Look {
  readonly cronJob: StoredCronJob;
  active: readonly Active[];
  lastScheduleTime: string | undefined;
  lastSuccessfulTime: string | undefined;
  isChanged: boolean;
}

export function cronJobController(options: CronJobOptions): Controller {
  return new CronJobs(options).controller;
}

class CronJobs {
  readonly controller: Controller;
  readonly #options: CronJobOptions;
  readonly #cronJobs: Source<StoredCronJob>;
  readonly #jobs: Source<StoredJob>;
  readonly #events: CoreEventRecorder;
  readonly #skew: Histogram;

  constructor(options: CronJobOptions) {
    const { sources, client, clock, log, metrics } = options;
    this.#options = options;
    this.#cronJobs = sources.of(kinds.cronJobs);
    this.#jobs = sources.of(kinds.jobs);
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'cronjob-controller' });
    const skew = { name: 'cronjob_controller_job_creation_skew_duration_seconds', help: 'Time between when a CronJob is due and its Job is made' };
    this.#skew = metrics.ofLoops.histogram({ ...skew, stability: 'STABLE', buckets: exponentialBuckets(1, 2, 10) }).at();
    this.controller = controller({
      ...options,
      name: 'cronjob-controller',
      sources: [this.#cronJobKeys, keysOf(this.#jobs, ({ namespace, object }) => ownersOf(namespace, object))],
      reconcile: (key) => this.#reconcile(key),
      workers: 5,
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  /** A CronJob whose schedule was changed is looked at when it comes due next: what the new schedule would have started before is not made up for. */
  readonly #cronJobKeys: KeySource = async (enqueue, signal) => {
    const schedules = new Map<string, string>();
    const follower: Follower<StoredCronJob> = {
      begin: (all) => all.forEach((item) => follower.change('ADDED', item)),
      change: (type, item) => {
        const key = sourceKey(item);
        const { schedule, timeZone } = item.object.spec;
        const before = schedules.get(key);
        const now = JSON.stringify([schedule, timeZone]);
        if (type === 'DELETED') schedules.delete(key);
        else schedules.set(key, now);
        if (type !== 'MODIFIED' || before === undefined || before === now) return enqueue(key);
        this.#lookWhenDue(item.object, () => enqueue(key), signal);
      },
    };
    await this.#cronJobs.follow(follower, signal);
  };

  #lookWhenDue(cronJob: StoredCronJob, look: () => void, signal: AbortSignal): void {
    const schedule = this.#scheduleOf(cronJob);
    if (typeof schedule === 'string') {
      return this.#tell(cronJob, 'Warning', 'UnParseableCronJobSchedule', `unparseable schedule for cronjob: ${cronJob.spec.schedule}`);
    }
    const cancel = this.#options.timers.after(Math.max(0, nextLookMs(factsOf(cronJob), schedule, this.#now)), look);
    signal.addEventListener('abort', cancel, { once: true });
  }

  get #now(): number {
    return this.#options.clock.now().getTime();
  }

  async #reconcile(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const cronJob = this.#cronJobs.get(namespace, name)?.object;
    if (cronJob === undefined) return;
    const jobs = this.#jobs.list(namespace).flatMap(({ object }) => (controllerOf(object.metadata)?.name === name ? [object] : []));
    const look = lookAt(cronJob);
    await this.#deleteOld(look, jobs);
    let failure: { readonly error: unknown } | undefined;
    const againMs = await this.#settle(look, jobs).catch((error: unknown) => void (failure = { error }));
    if (look.isChanged) await this.#writeStatus(look);
    if (failure) throw failure.error;
    return againMs === undefined ? undefined : { againMs: Math.max(0, againMs) };
  }

  async #writeStatus({ cronJob, active, lastScheduleTime, lastSuccessfulTime }: Look): Promise<void> {
    const status = { active, ...(lastScheduleTime && { lastScheduleTime }), ...(lastSuccessfulTime && { lastSuccessfulTime }) };
    await this.#options.client.update(kinds.cronJobs, { ...cronJob, status } as StoredCronJob, 'status');
  }

  async #settle(look: Look, jobs: readonly StoredJob[]): Promise<number | undefined> {
    await this.#noticeJobs(look, jobs);
    await this.#noticeMissing(look, jobs);
    const { cronJob } = look;
    const { timeZone, suspend } = cronJob.spec;
    if (cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      this.#tell(cronJob, 'Warning', 'UnknownTimeZone', `invalid timeZone: ${goQuote(timeZone)}: unknown time zone ${timeZone}`);
      return undefined;
    }
    if (suspend === true) return undefined;
    if (cronJob.spec.schedule.includes('TZ')) this.#warnOfZone(cronJob);
    const schedule = this.#scheduleOf(cronJob);
    if (typeof schedule !== 'string') return this.#startIfDue(look, schedule);
    this.#tell(cronJob, 'Warning', 'UnparseableSchedule', `unparseable schedule: ${goQuote(cronJob.spec.schedule)} : ${schedule}`);
    return undefined;
  }

  #warnOfZone(cronJob: StoredCronJob): void {
    const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
    const message = `CRON_TZ or TZ used in schedule ${goQuote(cronJob.spec.schedule)} is not officially supported, see ${page} for more details`;
    this.#tell(cronJob, 'Warning', 'UnsupportedSchedule', message);
  }

  /** A zone in the schedule itself, which only old CronJobs have, counts more than the field. */
  #scheduleOf({ spec: { schedule, timeZone } }: StoredCronJob): CronSchedule | string {
    const isZoned = timeZone !== undefined && !schedule.includes('TZ') && isTimeZone(timeZone);
    return parseCronSchedule(isZoned ? `TZ=${timeZone} ${schedule}` : schedule, this.#options.localZone);
  }

  /** Jobs that have finished leave the list; ones that nobody knew of are told. */
  async #noticeJobs(look: Look, jobs: readonly StoredJob[]): Promise<void> {
    for (const job of jobs) {
      const { uid, name } = job.metadata;
      const isListed = look.active.some((one) => one.uid === uid);
      const finished = finishedCondition(job);
      if (finished === undefined) {
        if (!isListed) await this.#noticeUnlisted(look, job);
        continue;
      }
      if (isListed) {
        dropActive(look, uid);
        this.#tell(look.cronJob, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, condition: ${finished.type}`);
      }
      if (finished.type === 'Complete') noticeSuccess(look, job);
    }
  }

  /** What is known here may be older than what this controller has written itself: the server knows. */
  async #noticeUnlisted(look: Look, job: StoredJob): Promise<void> {
    const { namespace = '', name = '' } = look.cronJob.metadata;
    const fresh = await this.#options.client.get<StoredCronJob>(kinds.cronJobs, namespace, name);
    if (fresh.status?.active?.some(({ uid }) => uid === job.metadata.uid)) {
      Object.assign(look, lookAt(fresh));
      return;
    }
    this.#tell(look.cronJob, 'Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${job.metadata.name}`);
  }

  async #noticeMissing(look: Look, jobs: readonly StoredJob[]): Promise<void> {
    const there = new Set(jobs.map(({ metadata }) => metadata.uid));
    for (const { uid, namespace = '', name = '' } of look.active) {
      if (there.has(uid) || (await this.#options.client.find(kinds.jobs, namespace, name)) !== undefined) continue;
      this.#tell(look.cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`);
      dropActive(look, uid);
    }
  }

  async #startIfDue(look: Look, schedule: CronSchedule): Promise<number | undefined> {
    const { cronJob } = look;
    const now = this.#now;
    const nextLook = () => nextLookMs(factsOf(cronJob, look.lastScheduleTime), schedule, now);
    const found = dueTime(factsOf(cronJob, look.lastScheduleTime), schedule, now);
    if (typeof found === 'string') {
      this.#tell(cronJob, 'Warning', 'InvalidSchedule', `invalid schedule: ${cronJob.spec.schedule} : ${found}`);
      return undefined;
    }
    const { due, missed } = found;
    if (due === undefined) return nextLook();
    if (missed === 'many') {
      const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#tell(cronJob, 'Warning', 'TooManyMissedTimes', message);
    }
    if (!this.#mayStart(look, due, now)) return nextLook();
    if (cronJob.spec.concurrencyPolicy === 'Replace') await this.#deleteActive(look);
    return (await this.#start(look, due)) ? nextLook() : undefined;
  }

  #mayStart(look: Look, due: number, now: number): boolean {
    const { cronJob, active } = look;
    const { deadlineMs } = factsOf(cronJob);
    if (deadlineMs !== undefined && due + deadlineMs < now) {
      this.#tell(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${mailDate(due)}`);
      return false;
    }
    const name = jobName(cronJob, due);
    const isStarted = active.some((one) => one.name === name && one.namespace === cronJob.metadata.namespace);
    if (isStarted || look.lastScheduleTime === wholeSeconds(new Date(due))) return false;
    if (cronJob.spec.concurrencyPolicy !== 'Forbid' || active.length === 0) return true;
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    this.#tell(cronJob, 'Normal', 'JobAlreadyActive', message);
    return false;
  }

  async #deleteActive(look: Look): Promise<void> {
    for (const { namespace = '', name = '' } of look.active) {
      let job: StoredJob;
      try {
        job = await this.#options.client.get<StoredJob>(kinds.jobs, namespace, name);
      } catch (error) {
        this.#tell(look.cronJob, 'Warning', 'FailedGet', `Get job: ${messageOf(error)}`);
        throw error;
      }
      if (!(await this.#deleteJob(look, job))) throw new Error(`could not replace job ${namespace}/${name}`);
    }
  }

  /** False: the Job is another one's, or the list has it. */
  async #start(look: Look, due: number): Promise<boolean> {
    const { cronJob } = look;
    const { namespace = '', uid } = cronJob.metadata;
    let job: StoredJob;
    try {
      job = (await this.#options.client.create(kinds.jobs, namespace, jobFromTemplate(cronJob, due))) as StoredJob;
      this.#skew.observe((Date.parse(job.metadata.creationTimestamp ?? '') - due) / 1000);
      this.#tell(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    } catch (error) {
      job = await this.#jobMadeBefore(cronJob, due, error);
      if (controllerOf(job.metadata)?.uid !== uid || look.active.some((one) => one.uid === job.metadata.uid)) return false;
    }
    look.active = [...look.active, referenceTo(job)];
    look.lastScheduleTime = wholeSeconds(new Date(due));
    look.isChanged = true;
    return true;
  }

  async #jobMadeBefore(cronJob: StoredCronJob, due: number, error: unknown): Promise<StoredJob> {
    if (!(error instanceof ApiError)) throw error;
    if (error.reason === 'AlreadyExists') return this.#options.client.get<StoredJob>(kinds.jobs, cronJob.metadata.namespace ?? '', jobName(cronJob, due));
    if (!isNamespaceEnding(error)) {
      this.#tell(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
    }
    throw error;
  }

  async #deleteOld(look: Look, jobs: readonly StoredJob[]): Promise<void> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = look.cronJob.spec;
    const finished = jobs.filter(isFinished).toSorted(byStart);
    for (const [type, limit] of [
      ['Complete', successfulJobsHistoryLimit],
      ['Failed', failedJobsHistoryLimit],
    ] as const) {
      if (limit === undefined) continue;
      const alike = finished.filter((job) => finishedCondition(job)?.type === type);
      for (const job of alike.slice(0, Math.max(0, alike.length - limit))) await this.#deleteJob(look, job);
    }
  }

  async #deleteJob(look: Look, { metadata: { namespace = '', name = '', uid } }: StoredJob): Promise<boolean> {
    try {
      await this.#options.client.delete(kinds.jobs, namespace, name, { propagationPolicy: 'Background' });
    } catch (error) {
      this.#tell(look.cronJob, 'Warning', 'FailedDelete', `Deleted job: ${messageOf(error)}`);
      return false;
    }
    dropActive(look, uid);
    this.#tell(look.cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`);
    return true;
  }

  #tell(cronJob: StoredCronJob, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.event(regarding(kinds.cronJobs, cronJob), type, reason, message);
  }
}

function lookAt(cronJob: StoredCronJob): Look {
  const { active = [], lastScheduleTime, lastSuccessfulTime } = cronJob.status ?? {};
  return { cronJob, active, lastScheduleTime, lastSuccessfulTime, isChanged: false };
}

function dropActive(look: Look, uid: string | undefined): void {
  look.active = look.active.filter((one) => one.uid !== uid);
  look.isChanged = true;
}

function noticeSuccess(look: Look, { status }: StoredJob): void {
  const { completionTime } = status ?? {};
  if (completionTime === undefined || (look.lastSuccessfulTime !== undefined && completionTime <= look.lastSuccessfulTime)) return;
  look.lastSuccessfulTime = completionTime;
  look.isChanged = true;
}

function factsOf({ metadata, spec, status }: StoredCronJob, lastScheduleTime = status?.lastScheduleTime): CronFacts {
  const { startingDeadlineSeconds } = spec;
  return {
    created: Date.parse(metadata.creationTimestamp ?? ''),
    lastScheduled: lastScheduleTime === undefined ? undefined : Date.parse(lastScheduleTime),
    deadlineMs: startingDeadlineSeconds === undefined ? undefined : Number(startingDeadlineSeconds) * 1000,
  };
}

function ownersOf(namespace: string, { metadata }: StoredJob): readonly string[] {
  const owner = controllerOf(metadata);
  return owner?.kind === 'CronJob' ? [`${namespace}/${owner.name}`] : [];
}

function referenceTo({ metadata: { namespace, name, uid, resourceVersion } }: StoredJob): Active {
  return { kind: 'Job', namespace, name, uid, apiVersion: apiVersionOf(kinds.jobs), resourceVersion } as Active;
}

/** Jobs that have not started come last. */
function byStart(a: StoredJob, b: StoredJob): number {
  const startOf = ({ status }: StoredJob) => (status?.startTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(status.startTime));
  const [first, second] = [startOf(a), startOf(b)];
  if (first !== second) return first - second;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

/** `Mon, 02 Jan 2006 15:04:05 +0000`. */
function mailDate(ms: number): string {
  return new Date(ms).toUTCString().replace('GMT', '+0000');
}

// One look at a Job that has not finished: pods are made or deleted, those that have ended are counted and let go, and the status tells.
import type { Clock } from '#base/clock.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { type CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import { countPods, isIndexed, type JobCount } from '#controllers/workloads/jobs/count-pods.ts';
import { type BackoffRecord, nextBackoff } from '#controllers/workloads/jobs/job-backoff.ts';
import { completed, condition, deadlineMs, type End, endOf, isComplete, type Told, withCondition } from '#controllers/workloads/jobs/job-conditions.ts';
import { countReleased, draftOf, type JobDraft, statusOf } from '#controllers/workloads/jobs/job-draft.ts';
import type { JobMetrics } from '#controllers/workloads/jobs/job-metrics.ts';
import { type JobPod, trackingFinalizer } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { podForJob } from '#controllers/workloads/jobs/pod-for-job.ts';
import { podsWanted } from '#controllers/workloads/jobs/pods-wanted.ts';
import { trackPods } from '#controllers/workloads/jobs/track-pods.ts';
import type { OwnWrites } from '#controllers/workloads/own-writes.ts';
import type { PodWrites } from '#controllers/workloads/pod-writes.ts';
import { slowStart } from '#controllers/workloads/slow-start.ts';

export interface JobSyncParts {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly events: CoreEventRecorder;
  readonly podWrites: PodWrites;
  readonly ownWrites: OwnWrites;
  readonly metrics: JobMetrics;
}

/** What is remembered of a Job from look to look. */
export interface JobMemory {
  readonly uid: string;
  backoff: BackoffRecord;
  /** Pods whose finalizer was taken away; what is known of them may not show it yet. */
  readonly released: Set<string>;
  /** Of the last status that was written. */
  statusRevision: number;
}

export type SyncAction = 'reconciling' | 'tracking' | 'pods_created' | 'pods_deleted';

export class JobSync {
  readonly #parts: JobSyncParts;
  readonly #key: string;
  readonly #memory: JobMemory;
  readonly #count: JobCount;
  readonly #draft: JobDraft;
  readonly #now: Date;
  readonly #backoff: BackoffRecord;
  #job: StoredJob;
  #isChanged = false;
  #againMs: number | undefined;
  /** Why pods could not be made or deleted. */
  #failure: unknown;
  action: SyncAction = 'reconciling';

  constructor(parts: JobSyncParts, key: string, job: StoredJob, pods: readonly JobPod[], memory: JobMemory) {
    this.#parts = parts;
    this.#key = key;
    this.#memory = memory;
    this.#now = parts.clock.now();
    this.#draft = draftOf(job);
    if (this.#draft.startTime === undefined && job.spec?.suspend !== true) this.#draft.startTime = wholeSeconds(this.#now);
    this.#job = { ...job, status: { ...job.status, startTime: this.#draft.startTime } } as StoredJob;
    this.#count = countPods(job, pods);
    this.#backoff = nextBackoff(memory.backoff, this.#count.newSucceeded, this.#count.newFailed);
    const { active, ready, terminating } = this.#count;
    Object.assign(this.#draft, { active: active.length, ready, terminating });
  }

  /** Resolves to when the Job must be looked at again, in milliseconds. */
  async run(): Promise<number | undefined> {
    const before = this.#job.status;
    const now = this.#now.getTime();
    const decided = endOf(this.#job, this.#count, now);
    const end = decided === undefined ? await this.#goOn(now) : await this.#stopPods(decided);
    const { active, ready, terminating } = this.#draft;
    if (active !== (before?.active ?? 0) || ready !== before?.ready || terminating !== before?.terminating) this.#isChanged = true;
    await this.#track(end);
    if (this.#failure !== undefined) throw this.#failure;
    return this.#againMs;
  }

  /** Undefined: pods are left, and nothing can be said before they are gone. */
  async #stopPods(end: End): Promise<End | undefined> {
    await this.#deletePods(this.#count.active, false);
    return this.#failure === undefined ? end : undefined;
  }

  async #goOn(now: number): Promise<End | undefined> {
    this.#lookAgain(deadlineMs(this.#job, now));
    const isManaged = this.#job.metadata.deletionTimestamp === undefined;
    if (isManaged) await this.#managePods(now);
    if (isComplete(this.#job, this.#count.succeeded, this.#draft.active)) return completed;
    if (isManaged) this.#tellSuspended();
    return undefined;
  }

  #lookAgain(afterMs: number | undefined): void {
    if (afterMs !== undefined) this.#againMs = Math.min(this.#againMs ?? afterMs, afterMs);
  }

  async #managePods(now: number): Promise<void> {
    const wanted = podsWanted(this.#job, this.#count, this.#backoff, now);
    this.action = wanted.is === 'enough' ? 'tracking' : wanted.is === 'too many' ? 'pods_deleted' : 'pods_created';
    if (wanted.is === 'backing off') this.#lookAgain(wanted.forMs);
    if (wanted.is === 'too many') await this.#deletePods(wanted.pods, true);
    if (wanted.is === 'too few') await this.#createPods(wanted.indexes);
  }

  async #createPods(indexes: readonly (number | undefined)[]): Promise<void> {
    const { podWrites, ownWrites, metrics } = this.#parts;
    const { made, failure } = await slowStart(indexes.length, async (at) => {
      const index = indexes[at];
      const replaced = index === undefined ? undefined : this.#count.indexes?.held.get(index);
      try {
        ownWrites.wrote(this.#key, await podWrites.create(this.#job, podForJob(this.#job, index, replaced)));
      } catch (error) {
        if (!isNamespaceEnding(error)) throw error;
      }
    });
    this.#draft.active += made;
    this.#failure = failure;
    const reason = this.#creationReason;
    if (made > 0) metrics.podsCreated.at(reason, 'succeeded').value += made;
    if (failure !== undefined) metrics.podsCreated.at(reason, 'failed').value += 1;
  }

  get #creationReason(): string {
    const { failed, terminating } = this.#count;
    if (this.#job.spec?.podReplacementPolicy === 'Failed' && failed > 0) return 'recreate_failed';
    return failed > 0 || terminating > 0 ? 'recreate_terminating_or_failed' : 'new';
  }

  /** `isReleased`: they do not count. Otherwise they are held until they have been counted. */
  async #deletePods(pods: readonly JobPod[], isReleased: boolean): Promise<void> {
    const results = await Promise.allSettled(pods.map((pod) => this.#deletePod(pod, isReleased)));
    for (const [at, { status }] of results.entries()) {
      if (status === 'rejected') continue;
      this.#draft.active--;
      this.#draft.terminating++;
      if (pods[at]?.isReady) this.#draft.ready--;
    }
    this.#failure = results.find((result) => result.status === 'rejected')?.reason;
  }

  async #deletePod(pod: JobPod, isReleased: boolean): Promise<void> {
    const { ownWrites, podWrites } = this.#parts;
    ownWrites.deleting(this.#key, pod.view);
    try {
      if (isReleased && pod.isTracked) await this.#release(pod);
      if (!(await podWrites.delete(this.#job, pod))) ownWrites.kept(this.#key, pod.view);
    } catch (error) {
      ownWrites.kept(this.#key, pod.view);
      throw error;
    }
  }

  async #release({ namespace, name, uid }: JobPod): Promise<void> {
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
    await unlessGone(this.#parts.client.patch(kinds.pods, { namespace, name }, patchTypes.strategic, patch));
    this.#memory.released.add(uid);
  }

  /** A Job that goes on again has been active since now. */
  #tellSuspended(): void {
    const isSuspended = this.#job.spec?.suspend === true;
    const word = isSuspended ? 'Suspended' : 'Resumed';
    const message = `Job ${word.toLowerCase()}`;
    const told: Told = { type: 'Suspended', status: isSuspended ? 'True' : 'False', reason: `Job${word}`, message };
    const conditions = withCondition(this.#draft.conditions, told, this.#now);
    if (conditions === undefined) return;
    this.#draft.conditions = conditions;
    this.#draft.startTime = isSuspended ? undefined : wholeSeconds(this.#now);
    this.#isChanged = true;
    this.#tell('Normal', word, message);
  }

  /** The status names what is counted before a finalizer goes, and counts it after. */
  async #track(end: End | undefined): Promise<void> {
    const draft = this.#draft;
    const tracked = new Set(this.#count.pods.flatMap(({ isTracked, uid }) => (isTracked ? [uid] : [])));
    if (countReleased(draft, tracked)) this.#isChanged = true;
    const { released, hasMore, isChanged, actions } = trackPods(this.#job, this.#count, end, draft);
    if (isChanged) this.#isChanged = true;
    const last = end && this.#tellEnd(end);
    if (this.#isChanged) {
      await this.#writeStatus();
      this.#memory.backoff = this.#backoff;
    }
    for (const action of actions) this.#parts.metrics.failuresByPolicy.at(action).value += 1;
    const results = await Promise.allSettled(released.map((pod) => this.#release(pod)));
    for (const [at, { status }] of results.entries()) if (status === 'fulfilled') tracked.delete(released[at]?.uid ?? '');
    const isCounted = countReleased(draft, tracked);
    const failed = results.find((result) => result.status === 'rejected');
    const isFinished = last !== undefined && failed === undefined && !hasMore && this.#finish(last);
    if (isCounted || isFinished) await this.#writeStatus();
    if (isFinished) this.#recordFinished(last);
    if (failed) throw failed.reason;
  }

  /** The last condition, which comes when all is counted; the one before it tells that the end is decided. */
  #tellEnd({ type, reason, message }: End): Told {
    if (type !== 'Failed' && !this.#draft.conditions.some((one) => one.type === type && one.status === 'True')) {
      this.#draft.conditions = [...this.#draft.conditions, condition({ type, status: 'True', reason, message }, this.#now)];
      this.#isChanged = true;
    }
    return { type: type === 'SuccessCriteriaMet' ? 'Complete' : 'Failed', status: 'True', reason, message };
  }

  /** False: pods are not counted, or not gone. */
  #finish(last: Told): boolean {
    const { uncounted, terminating, conditions } = this.#draft;
    if (uncounted.succeeded.length + uncounted.failed.length + terminating > 0) return false;
    this.#draft.conditions = withCondition(conditions, last, this.#now) ?? conditions;
    if (last.type === 'Complete') this.#draft.completionTime = wholeSeconds(this.#now);
    return true;
  }

  async #writeStatus(): Promise<void> {
    const before = this.#job.status;
    this.#job = await this.#parts.client.update(kinds.jobs, { ...this.#job, status: statusOf(this.#draft) } as StoredJob, 'status');
    this.#isChanged = false;
    this.#memory.statusRevision = Number(this.#job.metadata.resourceVersion);
    const { podsFinished, indexesFinished } = this.#parts.metrics;
    const succeeded = this.#draft.succeeded - (before?.succeeded ?? 0);
    podsFinished.at(this.#mode, 'succeeded').value += Math.max(0, succeeded);
    podsFinished.at(this.#mode, 'failed').value += Math.max(0, this.#draft.failed - (before?.failed ?? 0));
    if (isIndexed(this.#job)) {
      const limit = this.#job.spec?.backoffLimitPerIndex === undefined ? 'global' : 'perIndex';
      indexesFinished.at('succeeded', limit).value += Math.max(0, succeeded);
    }
  }

  get #mode(): string {
    return isIndexed(this.#job) ? 'Indexed' : 'NonIndexed';
  }

  #recordFinished({ type, reason, message }: Told): void {
    const { completions } = this.#job.spec ?? {};
    const isComplete = type === 'Complete';
    if (isComplete && completions !== undefined && this.#draft.succeeded > completions) {
      this.#tell('Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached');
    }
    if (isComplete) this.#tell('Normal', 'Completed', 'Job completed');
    else this.#tell('Warning', reason, message);
    this.#parts.metrics.finished.at(this.#mode, isComplete ? 'succeeded' : 'failed', reason).value += 1;
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#parts.events.event(regarding(kinds.jobs, this.#job), type, reason, message);
  }
}

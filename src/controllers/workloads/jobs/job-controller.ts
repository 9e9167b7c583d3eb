// Runs the pods of Jobs until as many have succeeded as each Job asks for, or it has failed. Every pod is held by a finalizer until its end is
// counted in the Job's status.
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, together } from '#controllers/controller.ts';
import { ownersOf } from '#controllers/workloads/owners-of.ts';
import { claimObjects } from '#controllers/workloads/claim-objects.ts';
import { isIndexed } from '#controllers/workloads/jobs/count-pods.ts';
import { noFailures } from '#controllers/workloads/jobs/job-backoff.ts';
import { type JobMetrics, jobMetrics } from '#controllers/workloads/jobs/job-metrics.ts';
import { type JobPod, JobPods, trackingFinalizer } from '#controllers/workloads/jobs/job-pod.ts';
import { isFinished, isManagedByOther, type StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import { orphanedJobPods } from '#controllers/workloads/jobs/orphaned-job-pods.ts';
import { type JobMemory, JobSync, type JobSyncParts } from '#controllers/workloads/jobs/sync-job.ts';
import { OwnWrites, unheardPatienceMs } from '#controllers/workloads/own-writes.ts';
import { type ControlledPods, controlledPods, type PodView } from '#controllers/workloads/pod-view.ts';
import { PodWrites } from '#controllers/workloads/pod-writes.ts';

export interface JobControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

export function jobController(options: JobControllerOptions): Controller {
  return together(new Jobs(options).controller, orphanedJobPods(options));
}

class Jobs {
  readonly controller: Controller;
  readonly #options: JobControllerOptions;
  readonly #jobs: Source<StoredJob>;
  readonly #pods: ControlledPods;
  readonly #jobPods: JobPods;
  readonly #parts: JobSyncParts;
  readonly #metrics: JobMetrics;
  readonly #memories = new Map<string, JobMemory>();

  constructor(options: JobControllerOptions) {
    const { sources, client, clock, log, metrics } = options;
    this.#options = options;
    this.#jobs = sources.of(kinds.jobs);
    this.#pods = controlledPods(sources);
    this.#jobPods = new JobPods(this.#pods);
    this.#metrics = jobMetrics(metrics.ofLoops);
    const events = new CoreEventRecorder({ client, clock, log, component: 'job-controller' });
    const ownWrites = new OwnWrites({ client, resource: kinds.pods, view: this.#pods, now: () => clock.now().getTime() });
    this.#parts = { client, clock, events, ownWrites, podWrites: new PodWrites({ client, kind: kinds.jobs, events }), metrics: this.#metrics };
    this.controller = controller({
      ...options,
      name: 'job-controller',
      sources: [keysOf(this.#jobs, (item, type) => this.#jobKey(item.object, sourceKey(item), type)), this.#pods.keys((...views) => this.#ownersOf(...views))],
      reconcile: (key) => this.#reconcile(key),
      workers: 5,
      // Pods of one Job change together.
      gatherMs: 10,
      retry: { firstMs: 1_000, maxMs: 60_000 },
    });
  }

  #jobKey(job: StoredJob, key: string, type: string): readonly string[] {
    if (type === 'ADDED' && isManagedByOther(job)) this.#metrics.external.at(job.spec?.managedBy ?? '').value += 1;
    return [key];
  }

  #ownersOf(before: PodView | undefined, after: PodView | undefined): readonly string[] {
    this.#countTracked(before, after);
    return ownersOf({ kind: 'Job', source: this.#jobs, selectorOf: givenSelector }, before, after);
  }

  #countTracked(before: PodView | undefined, after: PodView | undefined): void {
    const isHeld = (view: PodView | undefined) => {
      if (view?.controller?.kind !== 'Job' || (view.phase !== 'Succeeded' && view.phase !== 'Failed')) return false;
      return this.#jobPods.of(view)?.isTracked === true;
    };
    const [was, is] = [isHeld(before), isHeld(after)];
    if (was !== is) this.#metrics.trackedTerminated.at(is ? 'add' : 'delete').value += 1;
  }

  async #reconcile(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const item = this.#jobs.get(namespace, name);
    const job = item?.object;
    if (item === undefined || job === undefined || isManagedByOther(job) || isFinished(job)) return this.#forget(key);
    const memory = this.#memoryOf(key, job);
    if (item.revision < memory.statusRevision) return this.#skip('batch', 'jobs');
    if (!(await this.#parts.ownWrites.areHeard(key))) return this.#skip('', 'pods');
    const { completionMode = 'NonIndexed' } = job.spec ?? {};
    if (completionMode !== 'NonIndexed' && completionMode !== 'Indexed') {
      const message = 'Skipped Job sync because completion mode is unknown';
      return this.#parts.events.event(regarding(kinds.jobs, job), 'Warning', 'UnknownCompletionMode', message);
    }
    const pods = await this.#podsOf(key, job, memory);
    if (pods === undefined) return this.#skip('', 'pods');
    return this.#measured(new JobSync(this.#parts, key, job, pods, memory), isIndexed(job) ? 'Indexed' : 'NonIndexed');
  }

  async #measured(sync: JobSync, mode: string): Promise<{ readonly againMs: number } | void> {
    const began = performance.now();
    let result = 'error';
    try {
      const againMs = await sync.run();
      result = 'success';
      return againMs === undefined ? undefined : { againMs: Math.max(0, againMs) };
    } finally {
      this.#metrics.syncSeconds.at(mode, result, sync.action).observe((performance.now() - began) / 1000);
      this.#metrics.syncs.at(mode, result, sync.action).value += 1;
    }
  }

  /** What is waited for brings the Job here again. */
  #skip(group: string, resource: string): { readonly againMs: number } {
    this.#metrics.staleSkips.at(group, resource).value += 1;
    return { againMs: unheardPatienceMs };
  }

  #forget(key: string): void {
    this.#memories.delete(key);
    this.#parts.ownWrites.forget(key);
  }

  #memoryOf(key: string, { metadata: { uid = '' } }: StoredJob): JobMemory {
    const known = this.#memories.get(key);
    if (known?.uid === uid) return known;
    const memory: JobMemory = { uid, backoff: noFailures, released: new Set(), statusRevision: 0 };
    this.#memories.set(key, memory);
    return memory;
  }

  /** Undefined: pods were adopted or released, which has not been heard of yet. */
  async #podsOf(key: string, job: StoredJob, { released }: JobMemory): Promise<readonly JobPod[] | undefined> {
    const { client } = this.#options;
    const candidates = [...this.#pods.controlledBy(job.metadata.uid ?? ''), ...this.#pods.orphansIn(job.metadata.namespace ?? '')];
    const claims = { client, resource: kinds.pods, kind: kinds.jobs, owner: job, selector: selectorOf(job), finalizers: [trackingFinalizer] };
    const onWrite = (pod: KubernetesObject) => this.#parts.ownWrites.wrote(key, pod);
    const claimed = await claimObjects(candidates, { ...claims, onWrite });
    if (!(await this.#parts.ownWrites.areHeard(key))) return undefined;
    const pods = claimed.flatMap((view) => this.#jobPods.of(view) ?? []);
    const held = new Set(pods.flatMap(({ isTracked, uid }) => (isTracked ? [uid] : [])));
    for (const uid of released) if (!held.has(uid)) released.delete(uid);
    return pods.map((pod) => (released.has(pod.uid) ? { ...pod, isTracked: false } : pod));
  }
}

function givenSelector({ spec }: StoredJob): LabelSelectorObject | undefined {
  return spec?.selector as LabelSelectorObject | undefined;
}

function selectorOf(job: StoredJob) {
  return labelSelectorFrom(givenSelector(job));
}

// The scheduler: takes one pod after the other out of the queue, finds its node, counts it there and binds it while the next is looked at.
import type { MetricSet } from '#base/metric-set.ts';
import type { Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { messageOf } from '#base/message-of.ts';
import { nextTurn } from '#base/next-turn.ts';
import type { Timers } from '#base/timers.ts';
import { EventRecorder } from '#client/event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { ClusterFeed, schedulerName } from '#scheduler/cluster-feed.ts';
import { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { NodeInfo } from '#scheduler/cluster/node-info.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import { ClaimWorld, type SelectsDevice } from '#scheduler/claims/claim-world.ts';
import { fitMessage } from '#scheduler/cycle/fit-message.ts';
import type { NodeChecks } from '#scheduler/cycle/node-checks.ts';
import { NodeSearch } from '#scheduler/cycle/schedule-pod.ts';
import { defaultPlugins } from '#scheduler/default-plugins.ts';
import { dynamicResources } from '#scheduler/plugins/dynamic-resources.ts';
import type { Misfit, Plugin, Reservation } from '#scheduler/framework.ts';
import { WorkloadSelectors } from '#scheduler/plugins/workload-selectors.ts';
import { writePodStatus } from '#scheduler/pod-status.ts';
import { Preemptions } from '#scheduler/preemptions.ts';
import type { QueuedPod } from '#scheduler/queue/queued-pod.ts';
import { SchedulingQueue } from '#scheduler/queue/scheduling-queue.ts';
import { SchedulerEvents } from '#scheduler/scheduler-events.ts';
import { type SchedulerMetrics, schedulerMetrics } from '#scheduler/scheduler-metrics.ts';
import { VolumeWorld } from '#scheduler/volumes/volume-world.ts';

export interface SchedulerOptions {
  readonly client: RestClient;
  /** Writes Events. */
  readonly eventClient: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly random: () => number;
  /** Which of several schedulers it is, in Events. */
  readonly instance: string;
  /** Expressions are not read here. */
  readonly selectsDevice: SelectsDevice;
  readonly metrics: MetricSet;
}

/** So many pods are being bound at a time; others wait in the queue. More would wait for each other, and what their requests hold would grow old meanwhile. */
const mostBindings = 16;
/** After so long others get their turn. */
const longestTurnMs = 5;

/** What is to be said of a pod that was not placed. */
interface Failure {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
  readonly rejectedBy: ReadonlySet<string>;
  /** What its status is to say of the node that is kept for it; undefined: what it says. */
  readonly nominatedNode?: string | undefined;
}

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #cluster = new ClusterState();
  readonly #queue: SchedulingQueue;
  readonly #feed: ClusterFeed;
  readonly #search: NodeSearch;
  readonly #plugins: readonly Plugin[];
  readonly #workloads: WorkloadSelectors;
  readonly #events: SchedulerEvents;
  readonly #metrics: SchedulerMetrics;
  #signal: AbortSignal = AbortSignal.abort();
  #bindings = 0;
  #isWorking = false;

  constructor(options: SchedulerOptions) {
    const { client, sources, clock, timers, log, random } = options;
    this.#options = options;
    this.#workloads = new WorkloadSelectors(sources);
    const volumes = new VolumeWorld(sources);
    this.#events = new SchedulerEvents(eventRecorder(options), log);
    this.#metrics = schedulerMetrics(options.metrics, () => this.#queue.sizes);
    const preemptions: Preemptions = new Preemptions({
      client,
      clock,
      log,
      cluster: this.#cluster,
      events: this.#events,
      nominations: () => this.#queue.nominations,
      onFailure: (pod) => this.#queue.activate(pod),
      onVictims: (count) => this.#metrics.preempted(count),
    });
    this.#plugins = defaultPlugins({
      client,
      sources,
      clock,
      timers,
      random,
      volumes,
      workloads: this.#workloads,
      claims: dynamicResources({ client, log, world: new ClaimWorld(sources, options.selectsDevice) }),
      preempt: (pod, candidate) => preemptions.start(pod, candidate),
      isPreempting: (pod) => preemptions.isRunning(pod),
    });
    this.#queue = new SchedulingQueue({ ...options, plugins: this.#plugins, onReady: () => this.#wake() });
    this.#search = new NodeSearch({ plugins: this.#plugins, cluster: this.#cluster, nominations: this.#queue.nominations, random, log });
    this.#feed = new ClusterFeed({ sources, cluster: this.#cluster, queue: this.#queue, onObject: () => volumes.changed() });
  }

  /** Until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    await this.#workloads.follow(signal);
    await this.#feed.follow(signal);
    this.#wake();
    await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
    this.#queue.stop();
  }

  /** All changes of this turn are heard of before the first pod is looked at. */
  #wake(): void {
    if (this.#isWorking || this.#signal.aborted) return;
    this.#isWorking = true;
    void nextTurn().then(() => this.#work());
  }

  async #work(): Promise<void> {
    let began = performance.now();
    while (!this.#signal.aborted && this.#bindings < mostBindings) {
      const queued = this.#queue.take();
      if (queued === undefined) break;
      this.#schedule(queued);
      if (performance.now() - began < longestTurnMs) continue;
      await nextTurn();
      began = performance.now();
    }
    this.#isWorking = false;
  }

  #schedule(queued: QueuedPod): void {
    const { facts } = queued;
    if (facts.isBeingDeleted) return this.#events.failed(facts, `skip schedule deleting pod: ${facts.key}`);
    if (this.#cluster.isAssumed(facts.uid)) return;
    queued.triedAt = performance.now();
    if (this.#cluster.nodes.length === 0) {
      return this.#fail(queued, { reason: 'Unschedulable', message: 'no nodes available to schedule pods', rejectedBy: new Set(), nominatedNode: '' });
    }
    try {
      const outcome = this.#search.find(facts);
      this.#metrics.searched(queued.triedAt);
      if (outcome.is === 'placed') this.#place(queued, outcome.node, outcome.checks);
      else this.#relieve(queued, { pod: facts, cluster: this.#cluster, checks: outcome.checks, diagnosis: outcome.diagnosis });
    } catch (error) {
      this.#options.log.warn('a pod could not be scheduled', { pod: facts.key, err: messageOf(error) });
      this.#fail(queued, { reason: 'SchedulerError', message: messageOf(error), rejectedBy: new Set(), nominatedNode: '' });
    }
  }

  /** It fits nowhere: plugins try to make room, and the message says what came of it. */
  #relieve(queued: QueuedPod, misfit: Misfit): void {
    this.#metrics.preempts();
    const messages: string[] = [];
    let nominatedNode: string | undefined;
    for (const { relieve } of this.#plugins) {
      const relief = relieve?.(misfit);
      if (relief === undefined) continue;
      if (relief.is === 'none') {
        messages.push(relief.message);
        nominatedNode = relief.nominatedNode ?? nominatedNode;
        continue;
      }
      messages.length = 0;
      if (relief.is === 'made') nominatedNode = relief.nominatedNode;
      else messages.push(relief.message);
      break;
    }
    const { diagnosis } = misfit;
    const message = fitMessage(this.#cluster.nodes.length, diagnosis, messages.join(', '));
    this.#fail(queued, { reason: 'Unschedulable', message, rejectedBy: diagnosis.rejectedBy, nominatedNode });
  }

  #place(queued: QueuedPod, node: NodeInfo, { filters }: NodeChecks): void {
    const { facts } = queued;
    const reservations = [...filters.values()].flatMap((filter) => filter?.reserve?.(node) ?? []);
    this.#cluster.assume(facts.on(node.name));
    this.#queue.nominations.drop(facts.uid);
    this.#bindings++;
    void this.#bind(queued, node.name, reservations).finally(() => {
      this.#bindings--;
      if (!this.#queue.isEmpty) this.#wake();
    });
  }

  async #bind(queued: QueuedPod, nodeName: string, reservations: readonly Reservation[]): Promise<void> {
    const { client, clock } = this.#options;
    const { facts } = queued;
    const { namespace, name, uid } = facts;
    try {
      if (reservations.some(({ isPending }) => isPending)) await writePodStatus(client, facts.pod, { nominatedNode: nodeName }, clock.now());
      for (const reservation of reservations) await reservation.bind(this.#signal);
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { namespace, name, uid }, target: { kind: 'Node', name: nodeName } };
      await client.createAt(kinds.pods, { namespace, name, subresource: 'binding' }, binding);
      this.#events.scheduled(facts, nodeName);
      this.#metrics.attempted('scheduled', queued.triedAt);
      this.#metrics.placedAfter(queued.attempts);
    } catch (error) {
      if (!this.#signal.aborted) this.#unbind(queued, reservations, error);
    }
  }

  #unbind(queued: QueuedPod, reservations: readonly Reservation[], error: unknown): void {
    const { facts } = queued;
    for (const reservation of reservations) reservation.release();
    const freed = this.#cluster.isAssumed(facts.uid) ? this.#cluster.dropPod(facts.uid) : undefined;
    if (freed !== undefined) this.#queue.move({ of: 'Pod', action: 'Delete', before: freed, after: undefined });
    // Whoever deleted the pod, or was faster, needs no complaint.
    if (this.#feed.waiting(facts.key)?.uid !== facts.uid) return;
    this.#options.log.warn('a pod could not be bound', { pod: facts.key, err: messageOf(error) });
    this.#fail(queued, { reason: 'SchedulerError', message: messageOf(error), rejectedBy: new Set(), nominatedNode: '' });
  }

  #fail(queued: QueuedPod, { reason, message, rejectedBy, nominatedNode }: Failure): void {
    this.#metrics.attempted(reason === 'SchedulerError' ? 'error' : 'unschedulable', queued.triedAt);
    const current = this.#feed.waiting(queued.facts.key);
    if (current === undefined || current.uid !== queued.facts.uid) return;
    this.#queue.giveBack(queued, current, rejectedBy);
    this.#queue.nominations.put(current, nominatedNode);
    this.#events.failed(current, message);
    this.#say(current, { type: 'PodScheduled', status: 'False', reason, message }, nominatedNode);
  }

  #say(
    pod: PodFacts,
    condition: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
    nominatedNode?: string,
  ): void {
    const { client, clock, log } = this.#options;
    const change = { condition, ...(nominatedNode !== undefined && { nominatedNode }) };
    unlessGone(writePodStatus(client, pod.pod, change, clock.now())).catch((error: unknown) => {
      if (!this.#signal.aborted) log.warn('the status of a pod could not be written', { pod: pod.key, err: messageOf(error) });
    });
  }
}

function eventRecorder({ eventClient, clock, instance }: SchedulerOptions): EventRecorder {
  let count = 0;
  const suffix = () => (BigInt(clock.now().getTime()) * 1_000_000n + BigInt(count++ % 1_000_000)).toString(16);
  return new EventRecorder({ client: eventClient, clock, suffix, controller: schedulerName, instance, quietMs: 6 * 60_000 });
}

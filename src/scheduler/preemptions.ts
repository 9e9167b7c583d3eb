// Removes the pods that were chosen to make room for another: each is marked as disrupted, deleted and told about.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import type { ClusterState } from '#scheduler/cluster/cluster-state.ts';
import type { PodFacts } from '#scheduler/cluster/pod-facts.ts';
import type { Candidate } from '#scheduler/cycle/select-victims.ts';
import { writePodStatus } from '#scheduler/pod-status.ts';
import type { SchedulerEvents } from '#scheduler/scheduler-events.ts';
import type { Nominations } from '#scheduler/queue/nominations.ts';

export interface PreemptionsOptions {
  readonly client: RestClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly cluster: ClusterState;
  readonly events: SchedulerEvents;
  readonly nominations: () => Nominations;
  /** The pods could not be removed: the one they were to make room for is tried again. */
  readonly onFailure: (pod: PodFacts) => void;
  /** So many pods go. */
  readonly onVictims: (count: number) => void;
}

export class Preemptions {
  readonly #options: PreemptionsOptions;
  /** By the uid of the pod that room is made for: the last victim, once only that one is left. */
  readonly #running = new Map<string, PodFacts | undefined>();

  constructor(options: PreemptionsOptions) {
    this.#options = options;
  }

  /** Until the last victim is on its way out, the pod need not be tried. */
  isRunning({ uid }: PodFacts): boolean {
    if (!this.#running.has(uid)) return false;
    const last = this.#running.get(uid);
    if (last === undefined) return true;
    const known = this.#options.cluster.pod(last.uid);
    return known !== undefined && !known.isBeingDeleted;
  }

  start(pod: PodFacts, { node, victims }: Candidate): void {
    const leaving = victims.filter(({ isBeingDeleted }) => !isBeingDeleted);
    this.#options.onVictims(victims.length);
    if (leaving.length === 0) return;
    this.#running.set(pod.uid, undefined);
    void this.#run(pod, node.name, leaving);
  }

  async #run(pod: PodFacts, nodeName: string, victims: readonly PodFacts[]): Promise<void> {
    let failed = false;
    try {
      await this.#clearNominations(pod, nodeName);
      await Promise.all(victims.slice(0, -1).map((victim) => this.#preempt(pod, victim, nodeName)));
      const last = victims.at(-1);
      this.#running.set(pod.uid, last);
      if (last !== undefined) await this.#preempt(pod, last, nodeName);
    } catch (error) {
      failed = true;
      this.#options.log.warn('pods could not be preempted', { pod: pod.key, node: nodeName, err: String(error) });
    }
    this.#running.delete(pod.uid);
    if (failed) this.#options.onFailure(pod);
  }

  /** Less important pods that were to get the room do not get it any more. */
  async #clearNominations({ priority }: PodFacts, nodeName: string): Promise<void> {
    const { client, clock, nominations } = this.#options;
    const lower = [...nominations().on(nodeName)].filter((other) => other.priority < priority);
    await Promise.all(lower.map((other) => unlessGone(writePodStatus(client, other.pod, { nominatedNode: '' }, clock.now()))));
  }

  async #preempt(pod: PodFacts, victim: PodFacts, nodeName: string): Promise<void> {
    const { client, clock, events } = this.#options;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${pod.pod.spec.schedulerName}: preempting to accommodate a higher priority pod`,
    };
    await unlessGone(writePodStatus(client, victim.pod, { condition }, clock.now()));
    await unlessGone(client.delete(kinds.pods, victim.namespace, victim.name));
    events.preempted(victim, pod, nodeName);
  }
}

// Leads the pods of all nodes that play through their lives: one queue for what changed, one heap for what is due, no timer for a pod.
import { type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Timers } from '#base/timers.ts';
import { regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import { unlessGone } from '#controllers/controller.ts';
import { nodeNameOf, podsOnNode } from '#controllers/nodes/pods-on-node.ts';
import type { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import type { PlayedNode } from '#nodes/node/played-node.ts';
import { PlayQueue } from '#nodes/play-queue.ts';
import { ExactTimes } from '#nodes/pod/exact-times.ts';
import { podStep } from '#nodes/pod/pod-life.ts';
import { isLeftToStages } from '#nodes/pod/pod-plan.ts';
import { warningsOf } from '#nodes/pod/pod-warnings.ts';
import type { StoredPod } from '#nodes/pod/stored-pod.ts';

export interface PodPlayerOptions {
  readonly log: Log;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly sources: Sources;
  /** Undefined: nobody plays it now. */
  readonly nodeNamed: (name: string) => PlayedNode | undefined;
}

/** What is remembered of a pod that is played. */
interface Remembered {
  readonly uid: string;
  readonly node: PlayedNode;
  readonly times: ExactTimes;
  address: string;
  /** The revision that we wrote last: the pod in it is as it should be. */
  written: number;
}

/** More than pods are made or bound at a time, so that a pod is led on while those who heard of it have it parsed. */
const workers = 32;
/** How long a source is given to tell what was written. */
const lateSourceMs = 20;
const podIpPath = ['status', 'podIP'].map((name) => Buffer.from(name));

export class PodPlayer {
  readonly #options: PodPlayerOptions;
  readonly #pods: Source<StoredPod>;
  readonly #remembered = new Map<string, Remembered>();
  readonly #queue: PlayQueue;
  /** Nodes that nobody played when one of their pods should have gone on. */
  readonly #asleep = new Set<string>();
  #hasBegun = false;

  constructor(options: PodPlayerOptions) {
    const { sources, timers, clock, log } = options;
    this.#options = options;
    this.#pods = sources.of<StoredPod>(kinds.pods);
    this.#queue = new PlayQueue({
      timers,
      clock,
      retry: { firstMs: 10, maxMs: 10_000 },
      workers,
      play: (key) => this.#play(key),
      onFailure: (pod, error) => log.warn('a pod on a node that plays could not go on', { pod, err: String(error) }),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#queue.run(
      this.#pods,
      {
        begin: (all) => {
          this.#hasBegun = true;
          const here = new Set(all.map(sourceKey));
          for (const key of this.#remembered.keys()) if (!here.has(key)) this.#forget(key);
          this.#adoptAll(all);
        },
        change: (type, item) => (type === 'DELETED' ? this.#forget(sourceKey(item)) : this.#consider(item)),
      },
      signal,
    );
  }

  /** Pods may be bound to a node before it is played. */
  adopt(node: PlayedNode): void {
    if (this.#hasBegun) this.#adoptAll(podsOnNode(this.#pods, node.name));
  }

  /** Addresses that pods have already are known before another pod gets one. */
  #adoptAll(items: readonly SourceItem<StoredPod>[]): void {
    for (const item of items) {
      const address = item.valueAt(podIpPath);
      if (typeof address === 'string') this.#options.nodeNamed(nodeNameOf(item))?.pool.occupy(address, sourceKey(item));
    }
    for (const item of items) this.#consider(item);
  }

  /** The node speaks again: what was due meanwhile is due now. */
  wake(node: PlayedNode): void {
    if (this.#asleep.delete(node.name)) for (const item of podsOnNode(this.#pods, node.name)) this.#queue.add(sourceKey(item));
  }

  #consider(item: SourceItem<StoredPod>): void {
    const node = nodeNameOf(item);
    if (node === '') return;
    const key = sourceKey(item);
    if (this.#remembered.get(key)?.written === item.revision) return;
    if (this.#options.nodeNamed(node) === undefined) this.#asleep.add(node);
    else this.#queue.add(key);
  }

  async #play(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const item = this.#pods.get(namespace, name);
    const pod = item?.object;
    if (pod === undefined) return this.#forget(key);
    const node = this.#options.nodeNamed(pod.spec.nodeName ?? '');
    if (node === undefined) return void this.#asleep.add(pod.spec.nodeName ?? '');
    if (isLeftToStages(pod)) return;
    const remembered = this.#remember(key, pod, node);
    const now = this.#options.clock.now().getTime();
    // Our own write is younger than what the source has told, which will not tell of it again.
    if (remembered.written > (item?.revision ?? 0)) return this.#queue.due.set(key, now + lateSourceMs);
    const podIP = () => (remembered.address ||= node.pool.take(key));
    const step = podStep(pod, { hostIP: node.hostIP, podIP, times: remembered.times, now });
    if (step.againAt === undefined) this.#queue.due.delete(key);
    else this.#queue.due.set(key, step.againAt);
    if (step.status !== undefined) remembered.written = await this.#write(pod, step.status, node);
    const isOver = step.isGone === true || (pod.metadata.deletionTimestamp !== undefined && isTerminal(step.status));
    if (isOver) await this.#delete(pod, node);
  }

  async #write(pod: StoredPod, status: PodStatus, node: PlayedNode): Promise<number> {
    const { managedFields: _, ...metadata } = pod.metadata;
    // The spec is none of a status: the server keeps its own.
    const written = await node.client.updateBriefly(kinds.pods, { kind: 'Pod', metadata, status } as unknown as StoredPod, 'status');
    for (const { reason, message } of warningsOf(pod, status)) node.events.event(regarding(kinds.pods, pod), 'Warning', reason, message);
    return Number(written.metadata.resourceVersion ?? 0);
  }

  /** What finalizers hold stays, and is not asked for again. */
  async #delete({ metadata: { namespace = '', name = '', uid } }: StoredPod, node: PlayedNode): Promise<void> {
    await unlessGone(node.client.delete(kinds.pods, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } }));
  }

  #remember(key: string, { metadata: { uid = '' }, status }: StoredPod, node: PlayedNode): Remembered {
    const known = this.#remembered.get(key);
    if (known?.uid === uid && known.node === node) return known;
    this.#forget(key);
    const address = status.podIP ?? '';
    const remembered: Remembered = { uid, node, times: new ExactTimes(), address, written: 0 };
    if (address !== '') node.pool.occupy(address, key);
    this.#remembered.set(key, remembered);
    return remembered;
  }

  #forget(key: string): void {
    const known = this.#remembered.get(key);
    this.#queue.due.delete(key);
    if (known === undefined) return;
    this.#remembered.delete(key);
    if (known.address !== '') known.node.pool.release(known.address, key);
  }
}

function isTerminal(status: PodStatus | undefined): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

// Deletes pods that nobody else will: those of nodes that are gone or out of service, those that were deleted before they had a node, and the
// oldest of those that have ended when there are too many.
import type { Source, SourceItem, Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { inParallel } from '#base/in-parallel.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { type Controller, controller, every, type KeySource, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import { disruptionTarget } from '#controllers/nodes/disruption-target.ts';
import { type GarbageReason, podGarbageMetrics } from '#controllers/nodes/node-metrics.ts';
import { nodeNameOf } from '#controllers/nodes/pods-on-node.ts';
import { conditionOf, type StoredNode, type StoredPod } from '#controllers/nodes/stored-kinds.ts';

export interface PodGarbageOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** How many pods that have ended may stay; 0: all. */
  readonly threshold: number;
}

const checkMs = 20_000;
/** A node that is not known yet may only be late. */
const quarantineMs = 40_000;
const outOfService = 'node.kubernetes.io/out-of-service';
const roundKey = 'all pods';
const workers = 8;
const phasePath = ['status', 'phase'].map((name) => Buffer.from(name));
const deletionPath = ['metadata', 'deletionTimestamp'].map((name) => Buffer.from(name));

export function podGarbage(options: PodGarbageOptions): Controller {
  const { sources, timers } = options;
  const collector = new PodGarbage(options);
  const first: KeySource = async (enqueue) => enqueue(roundKey);
  return controller({
    ...options,
    name: 'pod_garbage_collector',
    sources: [
      keysOf(sources.of<StoredPod>(kinds.pods), () => []),
      keysOf(sources.of<StoredNode>(kinds.nodes), () => []),
      first,
      every(timers, checkMs, roundKey),
    ],
    reconcile: () => collector.collect(),
    retry: { firstMs: 1_000, maxMs: 20_000 },
  });
}

class PodGarbage {
  readonly #options: PodGarbageOptions;
  readonly #pods: Source<StoredPod>;
  readonly #nodes: Source<StoredNode>;
  readonly #metrics: ReturnType<typeof podGarbageMetrics>;
  /** Nodes that pods name and nobody knows, with the time when that is believed. */
  readonly #quarantine = new Map<string, number>();

  constructor(options: PodGarbageOptions) {
    this.#options = options;
    this.#pods = options.sources.of(kinds.pods);
    this.#nodes = options.sources.of(kinds.nodes);
    this.#metrics = podGarbageMetrics(options.metrics.ofLoops);
  }

  /** One round over all pods; only those that may have to go are parsed. */
  async collect(): Promise<void> {
    const all = this.#pods.list();
    const going = all.filter((item) => typeof item.valueAt(deletionPath) === 'string');
    await this.#deleteAll('terminated', this.#surplus(all));
    await this.#deleteAll(
      'out-of-service',
      going.filter((item) => this.#isOutOfService(nodeNameOf(item))),
    );
    const gone = await this.#goneNodes(all);
    await this.#deleteAll(
      'orphaned',
      all.filter((item) => gone.has(nodeNameOf(item))),
      'PodGC: node no longer exists',
    );
    await this.#deleteAll(
      'unscheduled',
      going.filter((item) => nodeNameOf(item) === ''),
    );
  }

  #surplus(all: readonly SourceItem<StoredPod>[]): readonly SourceItem<StoredPod>[] {
    const { threshold } = this.#options;
    const ended = threshold > 0 ? all.filter((item) => isEnded(item.valueAt(phasePath))) : [];
    return ended.length > threshold ? ended.toSorted(byEvictionAndAge).slice(0, ended.length - threshold) : [];
  }

  #isOutOfService(name: string): boolean {
    const node = this.#nodes.get('', name)?.object;
    return node !== undefined && conditionOf(node, 'Ready')?.status !== 'True' && node.spec?.taints?.some(({ key }) => key === outOfService) === true;
  }

  /** Nodes that are still missing after their time in quarantine, also for the server itself. */
  async #goneNodes(all: readonly SourceItem<StoredPod>[]): Promise<ReadonlySet<string>> {
    const { client, clock } = this.#options;
    const now = clock.now().getTime();
    const missing = new Set(all.map(nodeNameOf).filter((name) => name !== '' && this.#nodes.get('', name) === undefined));
    for (const name of this.#quarantine.keys()) if (!missing.has(name)) this.#quarantine.delete(name);
    const gone = new Set<string>();
    for (const name of missing) {
      const until = this.#quarantine.get(name);
      if (until === undefined) this.#quarantine.set(name, now + quarantineMs);
      else if (until <= now) {
        this.#quarantine.delete(name);
        if ((await client.find(kinds.nodes, '', name)) === undefined) gone.add(name);
      }
    }
    return gone;
  }

  /** One that cannot be deleted does not keep the others. */
  async #deleteAll(reason: GarbageReason, items: readonly SourceItem<StoredPod>[], disruption?: string): Promise<void> {
    await inParallel(items, workers, async ({ object }) => {
      const { namespace = '', name } = object.metadata;
      this.#metrics.deletes(namespace, reason);
      try {
        await unlessGone(this.#delete(object, disruption));
      } catch (error) {
        this.#metrics.failed(namespace, reason);
        this.#options.log.warn('a pod could not be collected', { namespace, name, err: String(error) });
      }
    });
  }

  /** Its phase is final first: of a node that is gone nobody would ever tell. */
  async #delete(pod: StoredPod, disruption?: string): Promise<void> {
    const { client, clock } = this.#options;
    const { namespace = '', name = '', uid, generation } = pod.metadata;
    if (pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed') {
      const condition = disruption === undefined ? undefined : disruptionTarget(pod, 'DeletionByPodGC', disruption, clock.now());
      const status = { phase: 'Failed', ...(generation !== undefined && { observedGeneration: generation }), ...(condition && { conditions: [condition] }) };
      await client.patch(kinds.pods, { namespace, name, subresource: 'status' }, patchTypes.strategic, { metadata: { uid }, status });
    }
    await client.delete(kinds.pods, namespace, name, { gracePeriodSeconds: 0 });
  }
}

function isEnded(phase: unknown): boolean {
  return phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown' && phase !== undefined;
}

function byEvictionAndAge({ object: a }: SourceItem<StoredPod>, { object: b }: SourceItem<StoredPod>): number {
  const evicted = Number(isEvicted(b)) - Number(isEvicted(a));
  if (evicted !== 0) return evicted;
  const [madeA, madeB] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (madeA !== madeB) return madeA < madeB ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

function isEvicted({ status }: StoredPod): boolean {
  return status.phase === 'Failed' && status.reason === 'Evicted';
}

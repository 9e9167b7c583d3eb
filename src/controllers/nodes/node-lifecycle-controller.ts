// Gives up nodes that fall silent: their conditions become Unknown, they are tainted, and their pods are no longer ready. Who removes the pods
// is taint-eviction-controller.
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { TaintFacts } from '#api/taints.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import { inParallel } from '#base/in-parallel.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, every, type KeySource, keysOf, type LoopParts, together, unlessGone, unlessOvertaken } from '#controllers/controller.ts';
import { type GracePeriods, judgeHealth, type NodeHealth } from '#controllers/nodes/node-health.ts';
import { type LifecycleMetrics, lifecycleMetrics } from '#controllers/nodes/node-metrics.ts';
import { keepOldLabels, keepSchedulingTaints } from '#controllers/nodes/node-marks.ts';
import { nodeNameOf, podsOnNode } from '#controllers/nodes/pods-on-node.ts';
import { conditionOf, type StoredLease, type StoredNode, type StoredPod } from '#controllers/nodes/stored-kinds.ts';
import { swapTaints } from '#controllers/nodes/write-taints.ts';
import { rateOf, TaintQueue, type ZoneRates, type ZoneState, zoneOf, zoneState } from '#controllers/nodes/zones.ts';

export interface NodeLifecycleOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** How often all nodes are looked at. */
  readonly monitorMs: number;
  readonly periods: GracePeriods;
  readonly rates: ZoneRates;
}

const leaseNamespace = 'kube-node-lease';
const unreachable: TaintFacts = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' };
const notReady: TaintFacts = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
const excludedLabel = 'node.kubernetes.io/exclude-disruption';
const workers = 8;
const renewTimePath = ['spec', 'renewTime'].map((name) => Buffer.from(name));
const monitorKey = 'all nodes';
const taintKey = 'nodes to be tainted';

export function nodeLifecycle(options: NodeLifecycleOptions): Controller {
  const lifecycle = new NodeLifecycle(options);
  const marks = controller({
    ...options,
    name: 'node_lifecycle_controller',
    sources: [keysOf(options.sources.of<StoredNode>(kinds.nodes))],
    reconcile: (key) => lifecycle.mark(key),
    workers,
    retry: { firstMs: 5, maxMs: 1_000_000 },
  });
  return together(marks, lifecycle.monitor, lifecycle.pods);
}

interface Zone {
  state: ZoneState;
  readonly queue: TaintQueue;
}

class NodeLifecycle {
  readonly #options: NodeLifecycleOptions;
  readonly #nodes: Source<StoredNode>;
  readonly #pods: Source<StoredPod>;
  readonly #leases: Source<StoredLease>;
  readonly #events: CoreEventRecorder;
  readonly #metrics: LifecycleMetrics;
  readonly monitor: Controller;
  readonly pods: Controller;
  /** By name: the uid, for the Event that tells of its end. */
  readonly #known = new Map<string, string>();
  readonly #health = new Map<string, NodeHealth>();
  readonly #zones = new Map<string, Zone>();
  /** Nodes that are not ready, with the pods on them that were told so. */
  readonly #silent = new Map<string, Set<string>>();

  constructor(options: NodeLifecycleOptions) {
    const { client, sources, clock, log, timers, monitorMs, metrics } = options;
    this.#options = options;
    this.#nodes = sources.of(kinds.nodes);
    this.#pods = sources.of(kinds.pods);
    this.#leases = sources.of(kinds.leases);
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'node-controller' });
    this.#metrics = lifecycleMetrics(metrics.ofLoops);
    const first: KeySource = async (enqueue) => enqueue(monitorKey);
    this.monitor = controller({
      ...options,
      name: 'node_lifecycle_controller_health',
      sources: [keysOf(this.#nodes, () => []), keysOf(this.#leases, () => []), first, every(timers, monitorMs, monitorKey)],
      reconcile: (key) => (key === monitorKey ? this.#monitor() : this.#taint()),
      retry: { firstMs: 100, maxMs: 5_000 },
    });
    this.pods = controller({
      ...options,
      name: 'node_lifecycle_controller_pods',
      sources: [keysOf(this.#pods, (item) => (this.#silent.size > 0 && this.#isUntold(sourceKey(item), nodeNameOf(item)) ? [sourceKey(item)] : []))],
      reconcile: (key) => this.#tellPod(key),
      workers: 4,
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  async mark(key: string): Promise<void> {
    const node = this.#nodes.get('', splitKey(key).name)?.object;
    if (node === undefined) return;
    const { client, clock } = this.#options;
    await unlessOvertaken(keepSchedulingTaints(client, node, clock.now()));
    await unlessOvertaken(keepOldLabels(client, node));
  }

  /** Every node in its turn; then what is to be done is decided by zones. */
  async #monitor(): Promise<void> {
    const began = performance.now();
    const nodes = this.#nodes.list().map(({ object }) => object);
    this.#greet(nodes);
    const byZone = new Map<string, { ready: number; notReady: number }>();
    await inParallel(nodes, workers, async (node) => {
      const lookedAt = performance.now();
      const isReady = await this.#look(node);
      this.#metrics.lookedAtNode(lookedAt);
      if (node.metadata.labels?.[excludedLabel] !== undefined) return;
      const count = byZone.get(zoneOf(node)) ?? { ready: 0, notReady: 0 };
      if (isReady) count.ready++;
      else count.notReady++;
      byZone.set(zoneOf(node), count);
    });
    this.#metrics.counted(byZone);
    await this.#judgeZones(byZone, nodes);
    this.#metrics.lookedAtAll(began);
    this.monitor.enqueue(taintKey);
  }

  #greet(nodes: readonly StoredNode[]): void {
    const here = new Set(nodes.map(({ metadata: { name = '' } }) => name));
    for (const node of nodes) {
      const { name = '', uid = '' } = node.metadata;
      this.#zoneFor(node);
      if (this.#known.has(name)) continue;
      this.#known.set(name, uid);
      this.#tell(name, uid, 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`);
    }
    for (const [name, uid] of this.#known) {
      if (here.has(name)) continue;
      this.#known.delete(name);
      this.#health.delete(name);
      this.#silent.delete(name);
      for (const { queue } of this.#zones.values()) queue.remove(name);
      this.#tell(name, uid, 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`);
    }
  }

  #zoneFor(node: StoredNode): Zone {
    const name = zoneOf(node);
    const zone = this.#zones.get(name) ?? { state: 'Initial', queue: new TaintQueue(this.#options.rates.perSecond, this.#now()) };
    this.#zones.set(name, zone);
    this.#metrics.knows(name);
    return zone;
  }

  #tell(name: string, uid: string, reason: string, message: string): void {
    this.#events.event({ kind: 'Node', apiVersion: 'v1', metadata: { name, uid } }, 'Normal', reason, message);
  }

  /** Returns whether the node is ready. */
  async #look(node: StoredNode): Promise<boolean> {
    const { name = '', uid = '' } = node.metadata;
    const { client, periods } = this.#options;
    const renewTime = this.#leases.get(leaseNamespace, name)?.valueAt(renewTimePath);
    const { health, observed, current, conditions } = judgeHealth(
      node,
      this.#health.get(name),
      typeof renewTime === 'string' ? renewTime : undefined,
      this.#now(),
      periods,
    );
    this.#health.set(name, health);
    // Another write was faster, perhaps the sign of life that was missed: the next round looks again.
    if (conditions) await unlessOvertaken(client.update(kinds.nodes, { ...node, status: { ...node.status, conditions } } as StoredNode, 'status'));
    if (current === undefined) return false;
    await unlessOvertaken(this.#taintByReadiness(node, current.status));
    if (current.status === 'True') {
      this.#silent.delete(name);
      return true;
    }
    const isNews = observed.status === 'True';
    if (isNews) this.#tell(name, uid, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
    if (isNews || !this.#silent.has(name)) {
      const here = podsOnNode(this.#pods, name).map(sourceKey);
      this.#silent.set(name, new Set(isNews ? [] : here));
      if (isNews) for (const key of here) this.pods.enqueue(key);
    }
    return false;
  }

  /** One of the two taints takes the place of the other at once; a first one waits for its turn in the zone. */
  async #taintByReadiness(node: StoredNode, status: string): Promise<void> {
    const { client, clock } = this.#options;
    const { name = '' } = node.metadata;
    const { queue } = this.#zoneFor(node);
    if (status === 'True') {
      queue.remove(name);
      await swapTaints(client, node, [], [unreachable, notReady], clock.now());
      return;
    }
    const [wanted, opposite] = status === 'False' ? [notReady, unreachable] : [unreachable, notReady];
    if (hasTaint(node, opposite)) await swapTaints(client, node, [wanted], [opposite], clock.now());
    else if (!hasTaint(node, wanted)) queue.add(name);
  }

  async #judgeZones(byZone: ReadonlyMap<string, { ready: number; notReady: number }>, nodes: readonly StoredNode[]): Promise<void> {
    const { rates, client, clock } = this.#options;
    const now = this.#now();
    const states = new Map([...byZone].map(([zone, { ready, notReady: silent }]) => [zone, zoneState(ready, silent, rates)] as const));
    for (const zone of this.#zones.keys()) if (!byZone.has(zone)) this.#zones.delete(zone);
    const allAre = [...states.values()].every((state) => state === 'FullDisruption');
    const allWere = [...this.#zones.values()].every(({ state }) => state === 'FullDisruption');
    if (allAre && allWere) return;
    if (allAre) {
      // Nobody answers: it may well be us who are cut off, so no pod is removed.
      for (const node of nodes) await unlessOvertaken(swapTaints(client, node, [], [unreachable, notReady], clock.now()));
      for (const zone of this.#zones.values()) {
        zone.queue.setRate(0, now);
        zone.state = 'FullDisruption';
      }
      return;
    }
    // Those that were cut off with us get a new chance to show that they live.
    if (allWere) for (const [name, health] of this.#health) this.#health.set(name, { ...health, seenAt: now });
    for (const [name, zone] of this.#zones) {
      const { ready = 0, notReady: silent = 0 } = byZone.get(name) ?? {};
      zone.state = states.get(name) ?? 'Normal';
      zone.queue.setRate(rateOf(zone.state, ready + silent, rates), now);
    }
  }

  /** Taints what the rates of the zones allow, and comes again when they allow more. */
  async #taint(): Promise<{ readonly againMs: number } | void> {
    const { client, clock } = this.#options;
    for (const { queue } of this.#zones.values()) {
      for (let name = queue.take(this.#now()); name !== undefined; name = queue.take(this.#now())) {
        const node = this.#nodes.get('', name)?.object;
        const status = node && conditionOf(node, 'Ready')?.status;
        if (node === undefined || status === undefined || status === 'True') continue;
        const [wanted, opposite] = status === 'False' ? [notReady, unreachable] : [unreachable, notReady];
        await unlessOvertaken(swapTaints(client, node, [wanted], [opposite], clock.now()).then(() => this.#metrics.evicted(zoneOf(node))));
      }
    }
    const waits = [...this.#zones.values()].flatMap(({ queue }) => queue.waitMs(this.#now()) ?? []);
    if (waits.length > 0) return { againMs: Math.max(100, Math.min(...waits)) };
  }

  #isUntold(key: string, node: string): boolean {
    const told = this.#silent.get(node);
    return told !== undefined && !told.has(key);
  }

  /** A pod on a node that has fallen silent, or was bound to one. It is told once: its kubelet may know better. */
  async #tellPod(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const pod = this.#pods.get(namespace, name)?.object;
    const told = pod && this.#silent.get(pod.spec.nodeName ?? '');
    if (told === undefined || told.has(key)) return;
    const ready = pod?.status.conditions?.find(({ type }) => type === 'Ready');
    if (pod !== undefined && ready !== undefined && ready.status !== 'False') {
      const { client, clock } = this.#options;
      const gone = { ...ready, status: 'False', lastTransitionTime: wholeSeconds(clock.now()) };
      const conditions = pod.status.conditions?.map((condition) => (condition.type === 'Ready' ? gone : condition));
      await unlessGone(client.update(kinds.pods, { ...pod, status: { ...pod.status, conditions } } as StoredPod, 'status'));
      this.#events.event(regarding(kinds.pods, pod), 'Warning', 'NodeNotReady', 'Node is not ready');
    }
    told.add(key);
  }
}

function hasTaint({ spec }: StoredNode, wanted: TaintFacts): boolean {
  return spec?.taints?.some(({ key, effect }) => key === wanted.key && effect === wanted.effect) === true;
}

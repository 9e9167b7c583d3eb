// Keeps one pod of a DaemonSet on every node that should have one, and brings them to the newest template.
import { isDeepStrictEqual } from 'node:util';
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import { claimObjects } from '#controllers/workloads/claim-objects.ts';
import { daemonHistory, truncateDaemonHistory } from '#controllers/workloads/daemon-set/daemon-history.ts';
import { type KnownNodes, knownNodes, nodeJudge, type NodeView, type StoredDaemonSet } from '#controllers/workloads/daemon-set/daemon-nodes.ts';
import { daemonPod } from '#controllers/workloads/daemon-set/daemon-pod.ts';
import { daemonStatus, isToldAlready } from '#controllers/workloads/daemon-set/daemon-status.ts';
import { type DaemonPlan, type DaemonWorld, planDaemons, planRollout } from '#controllers/workloads/daemon-set/plan-daemons.ts';
import { ReplacementBackoff } from '#controllers/workloads/daemon-set/replacement-backoff.ts';
import { ownersOf } from '#controllers/workloads/owners-of.ts';
import { OwnWrites } from '#controllers/workloads/own-writes.ts';
import { type ControlledPods, controlledPods, isFinished, nextAvailableMs, type PodView } from '#controllers/workloads/pod-view.ts';
import { PodWrites } from '#controllers/workloads/pod-writes.ts';
import { claimedRevisions } from '#controllers/workloads/revisions/claimed-revisions.ts';
import { type ControlledRevisions, controlledRevisions } from '#controllers/workloads/revisions/revision-view.ts';
import { slowStart } from '#controllers/workloads/slow-start.ts';
import { type Again, syncSet } from '#controllers/workloads/sync-set.ts';
import { writeStatus } from '#controllers/workloads/write-status.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export interface DaemonSetControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly templateHash: (template: PodTemplateSpec, collisionCount?: number) => string;
}

/** So many pods are made or deleted for one owner before the next look. */
const burst = 250;

export function daemonSetController(options: DaemonSetControllerOptions): Controller {
  return new DaemonSets(options).controller;
}

class DaemonSets {
  readonly controller: Controller;
  readonly #options: DaemonSetControllerOptions;
  readonly #sets: Source<StoredDaemonSet>;
  readonly #pods: ControlledPods;
  readonly #nodes: KnownNodes;
  readonly #revisions: ControlledRevisions;
  readonly #ownWrites: OwnWrites;
  readonly #podWrites: PodWrites;
  readonly #events: CoreEventRecorder;
  readonly #backoff = new ReplacementBackoff();

  constructor(options: DaemonSetControllerOptions) {
    const { sources, client, clock, log } = options;
    this.#options = options;
    this.#sets = sources.of<StoredDaemonSet>(kinds.daemonSets);
    this.#pods = controlledPods(sources);
    this.#nodes = knownNodes(sources);
    this.#revisions = controlledRevisions(sources);
    this.#ownWrites = new OwnWrites({ client, resource: kinds.pods, view: this.#pods, now: () => clock.now().getTime() });
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'daemonset-controller' });
    this.#podWrites = new PodWrites({ client, kind: kinds.daemonSets, events: this.#events });
    this.controller = controller({
      ...options,
      name: 'daemonset-controller',
      sources: [
        keysOf(this.#sets),
        this.#pods.keys((before, after) => ownersOf({ kind: 'DaemonSet', source: this.#sets, selectorOf: givenSelector }, before, after)),
        this.#nodes.keys((before, after) => (isSameNode(before, after) ? [] : this.#sets.list().map(sourceKey))),
        this.#revisions.keys(() => []),
      ],
      reconcile: (key) => syncSet(key, { sets: this.#sets, ownWrites: this.#ownWrites, skips: (set) => this.#skips(set), sync: (set) => this.#sync(key, set) }),
      workers: 2,
      gatherMs: 5,
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  #skips(set: StoredDaemonSet): boolean {
    const selectsAll = isDeepStrictEqual(set.spec.selector, {});
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
    if (selectsAll) this.#events.event(regarding(kinds.daemonSets, set), 'Warning', 'SelectingAll', message);
    return selectsAll || set.metadata.deletionTimestamp !== undefined;
  }

  async #sync(key: string, set: StoredDaemonSet): Promise<Again> {
    const { client, clock, templateHash } = this.#options;
    const revisions = await claimedRevisions(this.#revisions, this.#claiming(set));
    const pods = await this.#podsOf(key, set);
    const history = { client, set, revisions, pods, templateHash };
    const { hash, old } = await daemonHistory(history);
    const now = clock.now().getTime();
    const waits: number[] = [];
    const mayReplace = (pod: PodView) => this.#mayReplace(set, pod, now, waits);
    const judge = remembered(nodeJudge(set));
    const world: DaemonWorld = { set, nodes: [...this.#nodes.all()], judge, podsOn: byNode(pods), hash, now, mayReplace };
    const { failure, isInStep } = await this.#bringInStep(key, world);
    if (failure === undefined) await truncateDaemonHistory(history, old);
    // What was made or deleted brings the set here again, and is counted then.
    if (!isInStep && failure === undefined) return;
    const status = daemonStatus(world);
    if (!isToldAlready(set, status)) await writeStatus(client, kinds.daemonSets, set, status);
    if (failure !== undefined) throw failure;
    const { minReadySeconds = 0 } = set.spec;
    if (minReadySeconds > 0 && status.numberReady !== status.numberAvailable) waits.push(nextAvailableMs(pods, minReadySeconds, now) ?? 0);
    return waits.length > 0 ? { againMs: Math.min(...waits) } : undefined;
  }

  /** A rolling update goes on only where every node has what it should have. */
  async #bringInStep(key: string, world: DaemonWorld): Promise<{ readonly isInStep: boolean; readonly failure?: unknown }> {
    const plan = planDaemons(world);
    const isRolling = world.set.spec.updateStrategy.type === 'RollingUpdate';
    const next = isEmpty(plan) && isRolling ? planRollout(world) : plan;
    return { isInStep: isEmpty(next), failure: await this.#carryOut(key, world, next) };
  }

  async #carryOut(key: string, { set, hash }: DaemonWorld, plan: DaemonPlan): Promise<unknown> {
    const nodes = plan.create.slice(0, burst);
    const created = await slowStart(nodes.length, async (index) => {
      try {
        this.#ownWrites.wrote(key, await this.#podWrites.create(set, daemonPod(set, hash, nodes[index] ?? '')));
      } catch (error) {
        if (!isNamespaceEnding(error)) throw error;
      }
    });
    const deleted = await Promise.allSettled(plan.delete.slice(0, burst).map((pod) => this.#podWrites.deleteExpected(this.#ownWrites, key, set, pod)));
    return created.failure ?? (deleted.find((result) => result.status === 'rejected')?.reason as unknown);
  }

  /** A pod that has succeeded is replaced at once, one that has failed the later the more often it did. */
  #mayReplace(set: StoredDaemonSet, pod: PodView, now: number, waits: number[]): boolean {
    const about = regarding(kinds.daemonSets, set);
    const where = `${pod.namespace}/${pod.name} on node ${pod.targetNode}`;
    if (pod.phase === 'Succeeded') {
      this.#events.event(about, 'Normal', 'SucceededDaemonPod', `Found succeeded daemon pod ${where}, will try to delete it`);
      return true;
    }
    const waitMs = this.#backoff.waitMs(`${set.metadata.uid}/${set.status.observedGeneration ?? 0}/${pod.targetNode}`, now);
    if (waitMs !== undefined) {
      waits.push(waitMs);
      return false;
    }
    this.#events.event(about, 'Warning', 'FailedDaemonPod', `Found failed daemon pod ${where}, will try to kill it`);
    return true;
  }

  async #podsOf(key: string, set: StoredDaemonSet): Promise<readonly PodView[]> {
    const { namespace = '', uid = '' } = set.metadata;
    const candidates = [...this.#pods.controlledBy(uid), ...this.#pods.orphansIn(namespace)];
    const onWrite = (pod: KubernetesObject) => this.#ownWrites.wrote(key, pod);
    return claimObjects(candidates, { ...this.#claiming(set), resource: kinds.pods, onWrite });
  }

  #claiming(set: StoredDaemonSet) {
    return { client: this.#options.client, kind: kinds.daemonSets, owner: set, selector: selectorOf(set) };
  }
}

function isEmpty(plan: DaemonPlan): boolean {
  return plan.create.length === 0 && plan.delete.length === 0;
}

/** Every node is judged several times in one look. */
function remembered<V>(judge: (node: NodeView) => V): (node: NodeView) => V {
  const known = new Map<NodeView, V>();
  return (node) => {
    const verdict = known.get(node) ?? judge(node);
    known.set(node, verdict);
    return verdict;
  };
}

/** Without pods that have finished and are about to go. */
function byNode(pods: readonly PodView[]): ReadonlyMap<string, readonly PodView[]> {
  const found = new Map<string, PodView[]>();
  for (const pod of pods) {
    if (pod.targetNode === '' || (isFinished(pod) && pod.isDeleting)) continue;
    const there = found.get(pod.targetNode) ?? [];
    there.push(pod);
    found.set(pod.targetNode, there);
  }
  return found;
}

/** Nodes tell their state all the time; only labels and taints decide about pods. */
function isSameNode(before: NodeView | undefined, after: NodeView | undefined): boolean {
  return before !== undefined && after !== undefined && isDeepStrictEqual([before.labels, before.taints], [after.labels, after.taints]);
}

function givenSelector({ spec }: StoredDaemonSet): LabelSelectorObject | undefined {
  return spec.selector as LabelSelectorObject | undefined;
}

function selectorOf(set: StoredDaemonSet) {
  return labelSelectorFrom(givenSelector(set));
}

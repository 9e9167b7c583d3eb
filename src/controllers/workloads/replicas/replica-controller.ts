// Keeps as many pods as a ReplicaSet or a ReplicationController asks for: makes those that are missing, deletes those that are too many,
// adopts orphans that its selector selects, and counts them in the status.
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, type Sources, splitKey } from '#api/source.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type KeySource, type LoopParts } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import { ownersOf } from '#controllers/workloads/owners-of.ts';
import { claimObjects } from '#controllers/workloads/claim-objects.ts';
import { podsToDelete } from '#controllers/workloads/deletion-order.ts';
import type { OwnerKind } from '#controllers/workloads/owner.ts';
import { OwnWrites, unheardPatienceMs } from '#controllers/workloads/own-writes.ts';
import { type ControlledPods, controlledPods, isActive, isTerminating, nextAvailableMs, type PodView } from '#controllers/workloads/pod-view.ts';
import { podFromTemplate, PodWrites } from '#controllers/workloads/pod-writes.ts';
import { type ReplicaStatus, replicaStatus, sameStatus } from '#controllers/workloads/replicas/replica-status.ts';
import { slowStart } from '#controllers/workloads/slow-start.ts';
import { writeStatus } from '#controllers/workloads/write-status.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

/** A ReplicaSet, or a ReplicationController seen as one. */
export interface ReplicaOwner extends KubernetesObject {
  readonly spec: {
    readonly replicas?: number | undefined;
    readonly minReadySeconds?: number | undefined;
    readonly template?: PodTemplateSpec | undefined;
  };
  readonly status: ReplicaStatus;
}

export interface ReplicaControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

/** Where the two kinds differ. */
export interface ReplicaKind {
  readonly name: string;
  readonly kind: OwnerKind;
  /** Of its Events. */
  readonly component: string;
  readonly selectorOf: (owner: ReplicaOwner) => LabelSelectorObject | undefined;
  readonly tellsTerminating: boolean;
  /** All pods of the application that the owner is part of. */
  readonly relatedPods: (owner: ReplicaOwner) => readonly PodView[];
  /** What else must be known before pods are counted. */
  readonly sources?: readonly KeySource[];
}

/** So many pods are made or deleted for one owner before the next look. */
const burst = 500;

const longestGatherMs = 100;

export function replicaController(options: ReplicaControllerOptions, kind: ReplicaKind): Controller {
  return new Replicas(options, kind).controller;
}

class Replicas {
  readonly controller: Controller;
  readonly #options: ReplicaControllerOptions;
  readonly #kind: ReplicaKind;
  readonly #owners: Source<ReplicaOwner>;
  readonly #pods: ControlledPods;
  readonly #ownWrites: OwnWrites;
  readonly #podWrites: PodWrites;

  constructor(options: ReplicaControllerOptions, kind: ReplicaKind) {
    const { sources, client, clock, log } = options;
    this.#options = options;
    this.#kind = kind;
    this.#owners = sources.of<ReplicaOwner>(kind.kind);
    this.#pods = controlledPods(sources);
    this.#ownWrites = new OwnWrites({ client, resource: kinds.pods, view: this.#pods, now: () => clock.now().getTime() });
    const events = new CoreEventRecorder({ client, clock, log, component: kind.component });
    this.#podWrites = new PodWrites({ client, kind: kind.kind, events });
    this.controller = controller({
      ...options,
      name: kind.name,
      sources: [
        keysOf(this.#owners),
        this.#pods.keys((before, after) => ownersOf({ kind: kind.kind.kind, source: this.#owners, selectorOf: kind.selectorOf }, before, after)),
        ...(kind.sources ?? []),
      ],
      reconcile: (key) => this.#reconcile(key),
      workers: 5,
      gatherMs: (key) => this.#gatherMs(key),
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  /** Pods of one owner change together; the more there are, the longer each look at them takes, and the seldomer they are looked at. */
  #gatherMs(key: string): number {
    const { namespace, name } = splitKey(key);
    const replicas = this.#owners.get(namespace, name)?.object.spec.replicas ?? 0;
    return Math.min(5 + replicas / 20, longestGatherMs);
  }

  #selector(owner: ReplicaOwner) {
    return labelSelectorFrom(this.#kind.selectorOf(owner));
  }

  async #reconcile(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const owner = this.#owners.get(namespace, name)?.object;
    if (owner === undefined) return this.#ownWrites.forget(key);
    if (!(await this.#ownWrites.areHeard(key))) return { againMs: unheardPatienceMs };
    const selector = this.#selector(owner);
    const controlled = this.#pods.controlledBy(owner.metadata.uid ?? '');
    const candidates = [...controlled, ...this.#pods.orphansIn(namespace)].filter(isActive);
    const onWrite = (pod: KubernetesObject) => this.#ownWrites.wrote(key, pod);
    const active = await claimObjects(candidates, { ...this.#claims, owner, selector, onWrite });
    const failure = owner.metadata.deletionTimestamp === undefined ? await this.#scale(key, owner, active) : undefined;
    const terminating = this.#kind.tellsTerminating ? controlled.filter((pod) => isTerminating(pod) && selector.matches(pod.labels)).length : undefined;
    const againMs = await this.#tell(owner, active, terminating, failure);
    if (failure !== undefined) throw failure;
    return againMs === undefined ? undefined : { againMs };
  }

  get #claims() {
    return { client: this.#options.client, resource: kinds.pods, kind: this.#kind.kind };
  }

  /** Resolves to why it could not be done. */
  async #scale(key: string, owner: ReplicaOwner, active: readonly PodView[]): Promise<unknown> {
    const missing = (owner.spec.replicas ?? 0) - active.length;
    if (missing > 0) return this.#create(key, owner, Math.min(missing, burst));
    if (missing < 0) return this.#delete(key, owner, active, Math.min(-missing, burst));
  }

  async #create(key: string, owner: ReplicaOwner, count: number): Promise<unknown> {
    const pod = podFromTemplate(this.#kind.kind, owner, owner.spec.template as PodTemplateSpec);
    const { failure } = await slowStart(count, async () => {
      try {
        this.#ownWrites.wrote(key, await this.#podWrites.create(owner, pod));
      } catch (error) {
        if (!isNamespaceEnding(error)) throw error;
      }
    });
    return failure;
  }

  async #delete(key: string, owner: ReplicaOwner, active: readonly PodView[], count: number): Promise<unknown> {
    const going = podsToDelete(active, this.#kind.relatedPods(owner), count, this.#options.clock.now().getTime());
    const results = await Promise.allSettled(going.map((pod) => this.#podWrites.deleteExpected(this.#ownWrites, key, owner, pod)));
    return results.find((result) => result.status === 'rejected')?.reason as unknown;
  }

  /** Writes the status where it changes. Resolves to when it will change by itself. */
  async #tell(owner: ReplicaOwner, active: readonly PodView[], terminating: number | undefined, failure: unknown): Promise<number | undefined> {
    const { replicas: desired = 0, minReadySeconds = 0, template } = owner.spec;
    const templateLabels = template?.metadata?.labels ?? {};
    const at = this.#options.clock.now();
    const now = at.getTime();
    const counted = { desired, minReadySeconds, templateLabels, active, terminating, failure, now, at: wholeSeconds(at) };
    const status = replicaStatus({ ...counted, before: owner.status });
    if (!sameStatus(owner.status, status, owner.metadata.generation)) {
      await writeStatus(this.#options.client, this.#kind.kind, owner, { ...status, observedGeneration: owner.metadata.generation });
    }
    return minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas ? (nextAvailableMs(active, minReadySeconds, now) ?? 0) : undefined;
  }
}

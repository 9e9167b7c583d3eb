// Keeps the numbered pods of a StatefulSet, with their claims and its history of revisions.
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, type Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { CoreEventRecorder } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts } from '#controllers/controller.ts';
import { claimObjects } from '#controllers/workloads/claim-objects.ts';
import { ownersOf } from '#controllers/workloads/owners-of.ts';
import { OwnWrites } from '#controllers/workloads/own-writes.ts';
import { type ControlledPods, controlledPods, nextAvailableMs, type PodView } from '#controllers/workloads/pod-view.ts';
import { claimedRevisions } from '#controllers/workloads/revisions/claimed-revisions.ts';
import { type ControlledRevisions, controlledRevisions } from '#controllers/workloads/revisions/revision-view.ts';
import type { StoredClaim } from '#controllers/workloads/stateful-set/claims.ts';
import { numbered, type StoredStatefulSet } from '#controllers/workloads/stateful-set/ordinals.ts';
import { statefulHistory, truncateHistory } from '#controllers/workloads/stateful-set/stateful-history.ts';
import { completed, isTold } from '#controllers/workloads/stateful-set/stateful-set-status.ts';
import { StatefulSetSync } from '#controllers/workloads/stateful-set/stateful-set-sync.ts';
import { StatefulWrites } from '#controllers/workloads/stateful-set/stateful-writes.ts';
import { type Again, syncSet } from '#controllers/workloads/sync-set.ts';
import { writeStatus } from '#controllers/workloads/write-status.ts';

export interface StatefulSetControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** The gate MaxUnavailableStatefulSet. */
  readonly allowsMaxUnavailable: boolean;
}

export function statefulSetController(options: StatefulSetControllerOptions): Controller {
  return new StatefulSets(options).controller;
}

class StatefulSets {
  readonly controller: Controller;
  readonly #options: StatefulSetControllerOptions;
  readonly #sets: Source<StoredStatefulSet>;
  readonly #pods: ControlledPods;
  readonly #revisions: ControlledRevisions;
  readonly #ownWrites: OwnWrites;
  readonly #writes: StatefulWrites;

  constructor(options: StatefulSetControllerOptions) {
    const { sources, client, clock, log } = options;
    this.#options = options;
    this.#sets = sources.of<StoredStatefulSet>(kinds.statefulSets);
    this.#pods = controlledPods(sources);
    this.#revisions = controlledRevisions(sources);
    this.#ownWrites = new OwnWrites({ client, resource: kinds.pods, view: this.#pods, now: () => clock.now().getTime() });
    const claims = sources.of<StoredClaim>(kinds.persistentVolumeClaims);
    const events = new CoreEventRecorder({ client, clock, log, component: 'statefulset-controller' });
    this.#writes = new StatefulWrites({ client, claims, events, ownWrites: this.#ownWrites });
    this.controller = controller({
      ...options,
      name: 'statefulset-controller',
      sources: [
        keysOf(this.#sets),
        this.#pods.keys((before, after) => ownersOf({ kind: 'StatefulSet', source: this.#sets, selectorOf: givenSelector }, before, after)),
        this.#revisions.keys(() => []),
        // Claims are read, and must be known.
        keysOf(claims, () => []),
      ],
      reconcile: (key) => syncSet(key, { sets: this.#sets, ownWrites: this.#ownWrites, sync: (set) => this.#sync(key, set) }),
      workers: 5,
      gatherMs: 5,
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  async #sync(key: string, set: StoredStatefulSet): Promise<Again> {
    const { client, clock, allowsMaxUnavailable } = this.#options;
    const claiming = this.#claiming(set);
    const revisions = await claimedRevisions(this.#revisions, claiming, ({ labels }) => claiming.selector.matches(labels));
    const pods = await this.#podsOf(key, set);
    const history = await statefulHistory(client, set, revisions);
    const now = clock.now().getTime();
    const objectOf = (pod: PodView) => this.#pods.object(pod);
    const sync = new StatefulSetSync({ writes: this.#writes, key, now, objectOf, allowsMaxUnavailable }, set, history, pods);
    const { failure } = await sync.run();
    const status = sync.status();
    const told = completed(set, status);
    if (!isTold(set, told)) await writeStatus(client, kinds.statefulSets, set, told);
    await truncateHistory(client, set, revisions, history, pods);
    if (failure !== undefined) throw failure;
    const { minReadySeconds = 0 } = set.spec;
    if (minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas) return { againMs: nextAvailableMs(pods, minReadySeconds, now) ?? 0 };
  }

  async #podsOf(key: string, set: StoredStatefulSet): Promise<readonly PodView[]> {
    const { namespace = '', uid = '', name } = set.metadata;
    const candidates = [...this.#pods.controlledBy(uid), ...this.#pods.orphansIn(namespace)];
    const fits = (pod: PodView) => numbered(pod.name)?.parent === name;
    const onWrite = (pod: KubernetesObject) => this.#ownWrites.wrote(key, pod);
    return claimObjects(candidates, { ...this.#claiming(set), resource: kinds.pods, fits, onWrite });
  }

  #claiming(set: StoredStatefulSet) {
    return { client: this.#options.client, kind: kinds.statefulSets, owner: set, selector: selectorOf(set) };
  }
}

function givenSelector({ spec }: StoredStatefulSet): LabelSelectorObject | undefined {
  return spec.selector as LabelSelectorObject | undefined;
}

function selectorOf(set: StoredStatefulSet) {
  return labelSelectorFrom(givenSelector(set));
}

// Keeps the status of PodDisruptionBudgets true, and takes back the mark of pods that were to be disrupted and were not.
import { ApiError } from '#api/api-error.ts';
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import { labelSelectorText } from '#api/label-selector-text.ts';
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import { type Source, type SourceItem, sourceKey, type Sources, splitKey } from '#api/source.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/message-of.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import {
  countHealthy,
  disruptedPods,
  expectedPods,
  failedStatus,
  needsScale,
  nextStatus,
  type StoredBudget,
  type StoredPod,
} from '#controllers/disruption/budget-status.ts';

export interface DisruptionOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** The served resource of a kind that has a scale; undefined: there is none. */
  readonly scalable: (apiVersion: string, kind: string) => ResourceAddress | undefined;
}

const replicationControllers: ResourceAddress = { group: '', version: 'v1', resource: 'replicationcontrollers', namespaced: true };

export function disruptionController(options: DisruptionOptions): Controller {
  return new Disruption(options).controller;
}

class Disruption {
  readonly controller: Controller;
  readonly #options: DisruptionOptions;
  readonly #budgets: Source<StoredBudget>;
  readonly #pods: Source<StoredPod>;
  readonly #events: CoreEventRecorder;

  constructor(options: DisruptionOptions) {
    const { sources, client, clock, log } = options;
    this.#options = options;
    this.#budgets = sources.of(kinds.podDisruptionBudgets);
    this.#pods = sources.of(kinds.pods);
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'controllermanager' });
    const followed = [kinds.replicaSets, kinds.deployments, kinds.statefulSets, replicationControllers];
    this.controller = controller({
      ...options,
      name: 'disruption-controller',
      sources: [keysOf(this.#budgets), keysOf(this.#pods, (pod) => this.#budgetsOf(pod)), ...followed.map((kind) => this.#scaleChanges(kind))],
      reconcile: (key) => this.#settle(key),
      // Pods of a rollout change together.
      gatherMs: 20,
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  #budgetsOf({ namespace, object }: SourceItem<StoredPod>): readonly string[] {
    return this.#budgets.list(namespace).flatMap((budget) => (selectorOf(budget.object).matches(object.metadata.labels) ? [sourceKey(budget)] : []));
  }

  /** What a controller of pods wants changes what a percentage means. */
  #scaleChanges(kind: ResourceAddress) {
    return keysOf(this.#options.sources.of(kind), ({ namespace }) =>
      this.#budgets.list(namespace).flatMap((budget) => (needsScale(budget.object) ? [sourceKey(budget)] : [])),
    );
  }

  async #settle(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const budget = this.#budgets.get(namespace, name)?.object;
    if (budget === undefined) return;
    try {
      return await this.#count(budget);
    } catch (error) {
      if (error instanceof ApiError && error.code === 409) throw error;
      const status = failedStatus(budget, messageOf(error), wholeSeconds(this.#options.clock.now()));
      await this.#write(budget, status);
    }
  }

  async #count(budget: StoredBudget): Promise<{ readonly againMs: number } | void> {
    const now = this.#options.clock.now();
    const selector = selectorOf(budget);
    const pods = this.#pods.list(budget.metadata.namespace).flatMap(({ object }) => (selector.matches(object.metadata.labels) ? [object] : []));
    const about = regarding(kinds.podDisruptionBudgets, budget);
    if (pods.length === 0) this.#events.event(about, 'Normal', 'NoPods', 'No matching pods found');
    const scale = needsScale(budget) ? await this.#scaleOf(budget, pods) : 0;
    const { disrupted, recheckMs, overdue } = disruptedPods(budget, pods, now.getTime());
    for (const pod of overdue) {
      const message = `Pod was expected by PDB ${budget.metadata.namespace}/${budget.metadata.name} to be deleted but it wasn't`;
      this.#events.event(regarding(kinds.pods, pod), 'Warning', 'NotDeleted', message);
    }
    const status = nextStatus(budget, countHealthy(pods, disrupted), expectedPods(budget, pods, scale), disrupted, wholeSeconds(now));
    if (status) await this.#write(budget, status);
    if (recheckMs !== undefined) return { againMs: recheckMs };
  }

  async #write(budget: StoredBudget, status: StoredBudget['status']): Promise<void> {
    await unlessGone(this.#options.client.update(kinds.podDisruptionBudgets, { ...budget, status } as StoredBudget, 'status'));
  }

  /** What the controllers of these pods want, each counted once. */
  async #scaleOf(budget: StoredBudget, pods: readonly StoredPod[]): Promise<number> {
    const scales = new Map<string, number>();
    const unmanaged: string[] = [];
    for (const { metadata } of pods) {
      const owner = metadata.ownerReferences?.find(({ controller: controls }) => controls === true);
      if (owner === undefined) unmanaged.push(metadata.name ?? '');
      else if (!scales.has(owner.uid)) {
        const found = await this.#ownerScale(owner, metadata.namespace ?? '');
        if (found === undefined) throw new Error(`found no controllers for pod ${JSON.stringify(metadata.name)}`);
        scales.set(owner.uid, found);
      }
    }
    if (unmanaged.length > 0) this.#tellUnmanaged(budget);
    return [...scales.values()].reduce((sum, one) => sum + one, 0);
  }

  #tellUnmanaged(budget: StoredBudget): void {
    const message =
      `Pods selected by this PodDisruptionBudget (selector: ${labelSelectorText((budget.spec?.selector ?? {}) as LabelSelectorObject)}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, ` +
      'which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
    this.#events.event(regarding(kinds.podDisruptionBudgets, budget), 'Warning', 'UnmanagedPods', message);
  }

  /** Undefined: there is no such owner, or it cannot be scaled. A ReplicaSet that a Deployment controls counts with the whole Deployment. */
  async #ownerScale({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): Promise<number | undefined> {
    const { sources, scalable, client } = this.#options;
    if (apiVersion === 'apps/v1' && kind === 'ReplicaSet') {
      const set = sources.of(kinds.replicaSets).get(namespace, name)?.object;
      const deployment = set?.metadata.ownerReferences?.find(({ controller: controls, kind: of }) => controls === true && of === 'Deployment');
      if (deployment) return this.#ownerScale(deployment, namespace);
    }
    const resource = scalable(apiVersion, kind);
    const place = { namespace, name, subresource: 'scale' };
    if (resource === undefined) return undefined;
    const scale = await client.findAt<KubernetesObject>(resource, place);
    if (scale?.metadata.uid !== uid) return undefined;
    return ((scale['spec'] as { replicas?: number } | undefined)?.replicas ?? 0) as number;
  }
}

function selectorOf({ spec }: StoredBudget) {
  return labelSelectorFrom(spec?.selector as LabelSelectorObject | undefined);
}

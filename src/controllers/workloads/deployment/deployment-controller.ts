// Rolls out the template of a Deployment: makes a ReplicaSet for each template, moves the replicas from old ones to the newest within the
// limits of the strategy, keeps their history, and tells how far it has come. The ReplicaSets make the pods.
import { isDeepStrictEqual } from 'node:util';
import { labelSelectorFrom, type LabelSelectorObject } from '#api/label-selector.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Source, sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessGone } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import { ownersOf } from '#controllers/workloads/owners-of.ts';
import { claimObjects } from '#controllers/workloads/claim-objects.ts';
import { DeploymentSync } from '#controllers/workloads/deployment/deployment-sync.ts';
import type { StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import { OwnWrites, unheardPatienceMs } from '#controllers/workloads/own-writes.ts';
import { type ControlledPods, controlledPods, type PodView } from '#controllers/workloads/pod-view.ts';
import { type ControlledReplicaSets, controlledReplicaSets, type StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export interface DeploymentControllerOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
  /** The value of the label pod-template-hash. */
  readonly templateHash: (template: PodTemplateSpec, collisionCount?: number) => string;
}

export function deploymentController(options: DeploymentControllerOptions): Controller {
  return new Deployments(options).controller;
}

class Deployments {
  readonly controller: Controller;
  readonly #options: DeploymentControllerOptions;
  readonly #deployments: Source<StoredDeployment>;
  readonly #sets: ControlledReplicaSets;
  readonly #pods: ControlledPods;
  readonly #ownWrites: OwnWrites;
  readonly #events: CoreEventRecorder;

  constructor(options: DeploymentControllerOptions) {
    const { sources, client, clock, log } = options;
    this.#options = options;
    this.#deployments = sources.of<StoredDeployment>(kinds.deployments);
    this.#sets = controlledReplicaSets(sources);
    this.#pods = controlledPods(sources);
    this.#ownWrites = new OwnWrites({ client, resource: kinds.replicaSets, view: this.#sets, now: () => clock.now().getTime() });
    this.#events = new CoreEventRecorder({ client, clock, log, component: 'deployment-controller' });
    this.controller = controller({
      ...options,
      name: 'deployment-controller',
      sources: [
        keysOf(this.#deployments),
        this.#sets.keys((before, after) => ownersOf({ kind: 'Deployment', source: this.#deployments, selectorOf: givenSelector }, before, after)),
        this.#pods.keys((before, after) => (after === undefined && before ? this.#recreatedOf(before) : [])),
      ],
      reconcile: (key) => this.#reconcile(key),
      workers: 5,
      // The counts of a ReplicaSet change with every pod.
      gatherMs: 5,
      retry: { firstMs: 5, maxMs: 1_000_000 },
    });
  }

  /** A Deployment that recreates waits until the last old pod is gone. */
  #recreatedOf({ namespace, controller: owner }: PodView): readonly string[] {
    const set = owner?.kind === 'ReplicaSet' ? this.#sets.get(namespace, owner.name) : undefined;
    if (set?.controller?.kind !== 'Deployment') return [];
    const deployment = this.#deployments.get(namespace, set.controller.name);
    return deployment?.object.spec.strategy.type === 'Recreate' ? [sourceKey(deployment)] : [];
  }

  async #reconcile(key: string): Promise<{ readonly againMs: number } | void> {
    const { namespace, name } = splitKey(key);
    const deployment = this.#deployments.get(namespace, name)?.object;
    if (deployment === undefined) return this.#ownWrites.forget(key);
    if (isDeepStrictEqual(deployment.spec.selector, {})) return this.#refuseAll(deployment);
    if (!(await this.#ownWrites.areHeard(key))) return { againMs: unheardPatienceMs };
    const onWrite = (set: KubernetesObject) => this.#ownWrites.wrote(key, set);
    const sets = await this.#setsOf(deployment, onWrite);
    const { client, clock, templateHash } = this.#options;
    const hasPods = (set: StoredReplicaSet) => this.#hasPods(set);
    const sync = new DeploymentSync({ client, events: this.#events, now: clock.now(), templateHash, hasPods, onWrite }, deployment, sets);
    try {
      const againMs = await sync.run();
      return againMs === undefined ? undefined : { againMs };
    } catch (error) {
      if (!isNamespaceEnding(error)) throw error;
    }
  }

  async #setsOf(deployment: StoredDeployment, onWrite: (set: KubernetesObject) => void): Promise<readonly StoredReplicaSet[]> {
    const { namespace = '', uid = '' } = deployment.metadata;
    const candidates = [...this.#sets.controlledBy(uid), ...this.#sets.orphansIn(namespace)];
    const { client } = this.#options;
    const selector = selectorOf(deployment);
    const claimed = await claimObjects(candidates, { client, resource: kinds.replicaSets, kind: kinds.deployments, owner: deployment, selector, onWrite });
    return claimed.flatMap((view) => this.#sets.object(view) ?? []);
  }

  #hasPods({ metadata: { uid = '' } }: StoredReplicaSet): boolean {
    return this.#pods.controlledBy(uid).some(({ phase }) => phase !== 'Failed' && phase !== 'Succeeded');
  }

  async #refuseAll(deployment: StoredDeployment): Promise<void> {
    const about = regarding(kinds.deployments, deployment);
    this.#events.event(about, 'Warning', 'SelectingAll', 'This deployment is selecting all pods. A non-empty selector is required.');
    const { generation = 0 } = deployment.metadata;
    if ((deployment.status.observedGeneration ?? 0) >= generation) return;
    const status = { ...deployment.status, observedGeneration: generation };
    await unlessGone(this.#options.client.update(kinds.deployments, { ...deployment, status }, 'status'));
  }
}

function givenSelector({ spec }: StoredDeployment): LabelSelectorObject | undefined {
  return spec.selector as LabelSelectorObject | undefined;
}

function selectorOf(deployment: StoredDeployment) {
  return labelSelectorFrom(givenSelector(deployment));
}

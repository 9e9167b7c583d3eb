// One look at one Deployment, on a draft of it: what is decided on the way is kept in the draft and written once at the end.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { wholeSeconds } from '#api/whole-seconds.ts';
import { messageOf } from '#base/message-of.ts';
import { type CoreEventRecorder, regarding } from '#client/core-event-recorder.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';
import {
  conditionOf,
  countedStatus,
  type DeploymentStatus,
  isComplete,
  progressCheckMs,
  progressing,
  rolloutStatus,
} from '#controllers/workloads/deployment/deployment-status.ts';
import { newSetOf } from '#controllers/workloads/deployment/new-set.ts';
import { planRollingUpdate, planScale, replicasOf, type Revisions, type Step, wasScaled } from '#controllers/workloads/deployment/plan-scale.ts';
import {
  annotations,
  byRevision,
  copiedAnnotations,
  lastRevision,
  newReplicaSet,
  ownAnnotations,
  previousRevision,
  revisionAnnotations,
  revisionOf,
  sameTemplate,
  scaleAnnotations,
  withoutHash,
} from '#controllers/workloads/deployment/revisions.ts';
import { desiredReplicas, historyLimit, progressDeadlineMs, type StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import { controllerOf } from '#controllers/workloads/controlled-objects.ts';
import type { StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export interface SyncParts {
  readonly client: RestClient;
  readonly events: CoreEventRecorder;
  readonly now: Date;
  readonly templateHash: (template: PodTemplateSpec, collisionCount?: number) => string;
  /** Are there pods of it that have not finished? */
  readonly hasPods: (set: StoredReplicaSet) => boolean;
  readonly onWrite: (set: KubernetesObject) => void;
}

export class DeploymentSync {
  readonly #parts: SyncParts;
  readonly #stored: StoredDeployment;
  #draft: StoredDeployment;
  readonly #at: string;
  #current: StoredReplicaSet | undefined;
  #old: readonly StoredReplicaSet[];

  constructor(parts: SyncParts, deployment: StoredDeployment, sets: readonly StoredReplicaSet[]) {
    this.#parts = parts;
    this.#stored = deployment;
    this.#draft = deployment;
    this.#at = wholeSeconds(parts.now);
    this.#current = newReplicaSet(deployment, sets);
    this.#old = sets.filter((set) => set !== this.#current);
  }

  /** Resolves to when the rollout has to be looked at again, though nothing changes. */
  async run(): Promise<number | undefined> {
    const { metadata, spec } = this.#draft;
    if (metadata.deletionTimestamp !== undefined) {
      await this.#followRevision();
      return this.#finish(countedStatus(this.#draft, this.#revisions, this.#at));
    }
    this.#tellPause();
    if (spec.paused) return this.#rescale();
    if (this.#rollbackTo !== undefined) return this.#rollBack(this.#rollbackTo);
    await this.#followRevision();
    if (wasScaled(this.#draft, this.#revisions)) return this.#rescale();
    return spec.strategy.type === 'Recreate' ? this.#recreate() : this.#rollOut();
  }

  get #revisions(): Revisions {
    return { current: this.#current, old: this.#old };
  }

  get #rollbackTo(): number | undefined {
    const text = this.#draft.metadata.annotations?.[annotations.rollback] ?? '';
    return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
  }

  async #rescale(): Promise<undefined> {
    await this.#followRevision();
    await this.#take(planScale(this.#draft, this.#revisions));
    if (this.#draft.spec.paused && this.#rollbackTo === undefined) await this.#cleanUp();
    await this.#finish(countedStatus(this.#draft, this.#revisions, this.#at));
    return undefined;
  }

  async #rollOut(): Promise<number | undefined> {
    const current = this.#current ?? (await this.#create());
    const steps = planRollingUpdate(this.#draft, { current, old: this.#old });
    await this.#take(steps);
    if (steps.length === 0 && isComplete(this.#draft, this.#draft.status)) await this.#cleanUp();
    return this.#finish(rolloutStatus(this.#draft, this.#revisions, this.#parts.now, this.#at));
  }

  /** Old pods go, all of them, before new ones come. */
  async #recreate(): Promise<number | undefined> {
    const shrinking = this.#old.filter((set) => replicasOf(set) > 0);
    await this.#take(shrinking.map((set) => ({ set, to: 0 })));
    if (shrinking.length === 0 && !this.#old.some((set) => set.status.replicas > 0 || this.#parts.hasPods(set))) {
      const current = this.#current ?? (await this.#create());
      const desired = desiredReplicas(this.#draft);
      if (replicasOf(current) !== desired) await this.#take([{ set: current, to: desired }]);
      if (isComplete(this.#draft, this.#draft.status)) await this.#cleanUp();
    }
    return this.#finish(rolloutStatus(this.#draft, this.#revisions, this.#parts.now, this.#at));
  }

  async #rollBack(to: number): Promise<undefined> {
    await this.#followRevision();
    if (this.#current === undefined) await this.#create();
    const all = [...this.#old, ...(this.#current ? [this.#current] : [])];
    const revision = to === 0 ? previousRevision(all) : to;
    const target = revision === 0 ? undefined : all.find((set) => revisionOf(set) === revision);
    if (target === undefined) {
      const message = revision === 0 ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
      this.#tell('Warning', 'DeploymentRollbackRevisionNotFound', message);
      await this.#writeSpec({});
      return undefined;
    }
    const { name } = this.#draft.metadata;
    const template = target.spec.template as PodTemplateSpec;
    if (sameTemplate(template, this.#draft.spec.template)) {
      const message = `The rollback revision contains the same template as current deployment ${JSON.stringify(name)}`;
      this.#tell('Warning', 'DeploymentRollbackTemplateUnchanged', message);
      await this.#writeSpec({});
      return undefined;
    }
    const kept = { ...ownAnnotations(this.#draft.metadata.annotations), ...copiedAnnotations(target.metadata.annotations) };
    await this.#writeSpec({ template: withoutHash(template), kept });
    this.#tell('Normal', 'DeploymentRollback', `Rolled back deployment ${JSON.stringify(name)} to revision ${revision}`);
    return undefined;
  }

  /** The wish to roll back is fulfilled, or cannot be. */
  async #writeSpec({ template, kept }: { readonly template?: PodTemplateSpec; readonly kept?: Record<string, string> }): Promise<void> {
    const { [annotations.rollback]: _, ...rest } = kept ?? this.#draft.metadata.annotations ?? {};
    const metadata = { ...this.#draft.metadata, annotations: rest };
    const spec = { ...this.#draft.spec, ...(template && { template }) };
    await this.#parts.client.update(kinds.deployments, { ...this.#draft, metadata, spec } as StoredDeployment);
  }

  /** A pause stops the clock of the rollout. */
  #tellPause(): void {
    const before = conditionOf(this.#draft.status, 'Progressing');
    if (progressDeadlineMs(this.#draft) === undefined || before?.reason === 'ProgressDeadlineExceeded') return;
    const wasPaused = before?.reason === 'DeploymentPaused';
    const { paused = false } = this.#draft.spec;
    if (paused === wasPaused) return;
    const said = paused ? { reason: 'DeploymentPaused', message: 'Deployment is paused' } : { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
    this.#setStatus(progressing(this.#draft.status, { status: 'Unknown', ...said }, this.#at));
  }

  /** The newest ReplicaSet has the highest revision, the annotations of the Deployment and its minReadySeconds; the Deployment has its revision. */
  async #followRevision(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    const next = revisionAnnotations(this.#draft, current.metadata.annotations, lastRevision(this.#old) + 1);
    const { minReadySeconds = 0 } = this.#draft.spec;
    if (!isDeepStrictEqual(next, current.metadata.annotations ?? {}) || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      const metadata = { ...current.metadata, annotations: next };
      this.#current = await this.#update({ ...current, metadata, spec: { ...current.spec, minReadySeconds } });
    }
    this.#setRevision(this.#current?.metadata.annotations?.[annotations.revision] ?? '');
    if (progressDeadlineMs(this.#draft) === undefined || conditionOf(this.#draft.status, 'Progressing') !== undefined) return;
    const message = `Found new replica set ${JSON.stringify(current.metadata.name)}`;
    this.#setStatus(progressing(this.#draft.status, { status: 'True', reason: 'FoundNewReplicaSet', message }, this.#at));
  }

  async #create(): Promise<StoredReplicaSet> {
    const revision = lastRevision(this.#old) + 1;
    const wanted = newSetOf(this.#draft, this.#old, revision, this.#parts.templateHash);
    const { name = '' } = wanted.metadata;
    try {
      const made = await this.#parts.client.create(kinds.replicaSets, this.#draft.metadata.namespace ?? '', wanted);
      this.#parts.onWrite(made);
      this.#current = made;
      if (replicasOf(made) > 0) this.#tell('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${replicasOf(made)}`);
      this.#tellCreated('True', 'NewReplicaSetCreated', `Created new replica set ${JSON.stringify(name)}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409)) throw await this.#failedCreate(name, error);
      this.#current = await this.#found(name, error);
    }
    this.#setRevision(String(revision));
    return this.#current;
  }

  /** The name is taken: by the ReplicaSet that an earlier look has made, or by that of another template with the same hash. */
  async #found(name: string, error: ApiError): Promise<StoredReplicaSet> {
    const { namespace = '', uid } = this.#draft.metadata;
    const there = await this.#parts.client.get<StoredReplicaSet>(kinds.replicaSets, namespace, name);
    const isOurs = controllerOf(there.metadata)?.uid === uid && there.spec.template && sameTemplate(there.spec.template, this.#draft.spec.template);
    if (isOurs) return there;
    const collisionCount = (this.#draft.status.collisionCount ?? 0) + 1;
    this.#setStatus({ ...this.#draft.status, collisionCount });
    await this.#save();
    throw error;
  }

  async #failedCreate(name: string, error: unknown): Promise<unknown> {
    if (isNamespaceEnding(error)) return error;
    const message = `Failed to create new replica set ${JSON.stringify(name)}: ${messageOf(error)}`;
    this.#tellCreated('False', 'ReplicaSetCreateError', message);
    this.#tell('Warning', 'ReplicaSetCreateError', message);
    await this.#save();
    return error;
  }

  #tellCreated(status: string, reason: string, message: string): void {
    if (progressDeadlineMs(this.#draft) !== undefined) this.#setStatus(progressing(this.#draft.status, { status, reason, message }, this.#at));
  }

  async #take(steps: readonly Step[]): Promise<void> {
    for (const { set, to } of steps) await this.#scale(this.#latest(set), to);
  }

  /** As this look has written it last. */
  #latest({ metadata: { uid } }: StoredReplicaSet): StoredReplicaSet {
    return [...this.#old, this.#current].find((set) => set?.metadata.uid === uid) as StoredReplicaSet;
  }

  async #scale(set: StoredReplicaSet, to: number): Promise<void> {
    const from = replicasOf(set);
    const wanted = { ...set.metadata.annotations, ...scaleAnnotations(this.#draft) };
    if (from === to && isDeepStrictEqual(wanted, set.metadata.annotations)) return;
    const scaled = await this.#update({ ...set, metadata: { ...set.metadata, annotations: wanted }, spec: { ...set.spec, replicas: to } });
    if (this.#current?.metadata.uid === scaled.metadata.uid) this.#current = scaled;
    else this.#old = this.#old.map((old) => (old.metadata.uid === scaled.metadata.uid ? scaled : old));
    if (from === to) return;
    const direction = from < to ? 'up' : 'down';
    this.#tell('Normal', 'ScalingReplicaSet', `Scaled ${direction} replica set ${scaled.metadata.name} from ${from} to ${to}`);
  }

  async #update(set: StoredReplicaSet): Promise<StoredReplicaSet> {
    const written = await this.#parts.client.update(kinds.replicaSets, set);
    this.#parts.onWrite(written);
    return written;
  }

  /** Old revisions beyond the limit go, the oldest first, once they have no pods. */
  async #cleanUp(): Promise<void> {
    const limit = historyLimit(this.#draft);
    const kept = this.#old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (limit === undefined || kept.length <= limit) return;
    for (const set of kept.toSorted(byRevision).slice(0, kept.length - limit)) {
      const { metadata, status } = set;
      const isSettled = status.replicas === 0 && replicasOf(set) === 0 && (metadata.generation ?? 0) <= (status.observedGeneration ?? 0);
      if (isSettled) await unlessGone(this.#parts.client.delete(kinds.replicaSets, metadata.namespace ?? '', metadata.name ?? ''));
    }
  }

  async #finish(status: DeploymentStatus): Promise<number | undefined> {
    this.#setStatus(status);
    await this.#save();
    return progressCheckMs(this.#draft, this.#parts.now);
  }

  #setStatus(status: DeploymentStatus): void {
    this.#draft = { ...this.#draft, status };
  }

  #setRevision(revision: string): void {
    const { metadata } = this.#draft;
    if (metadata.annotations?.[annotations.revision] === revision) return;
    this.#draft = { ...this.#draft, metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.revision]: revision } } };
  }

  async #save(): Promise<void> {
    const isSame = sameStatus(this.#stored.status, this.#draft.status) && isDeepStrictEqual(this.#stored.metadata, this.#draft.metadata);
    if (!isSame) await unlessGone(this.#parts.client.update(kinds.deployments, this.#draft, 'status'));
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#parts.events.event(regarding(kinds.deployments, this.#draft), type, reason, message);
  }
}

/** Counts of zero, and no conditions, are not written. */
function sameStatus(a: DeploymentStatus, b: DeploymentStatus): boolean {
  const written = ({ conditions = [], terminatingReplicas, collisionCount, ...counts }: DeploymentStatus) => ({
    counts: Object.entries(counts)
      .filter(([, count]) => count !== 0 && count !== undefined)
      .toSorted(),
    conditions,
    terminatingReplicas,
    collisionCount,
  });
  return isDeepStrictEqual(written(a), written(b));
}

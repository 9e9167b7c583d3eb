// The ReplicaSets of a Deployment as its revisions: which of them has the template of now, and what their annotations tell.
import { isDeepStrictEqual } from 'node:util';
import type { StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import { desiredReplicas, maxSurge } from '#controllers/workloads/deployment/rollout-limits.ts';
import type { StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export const hashLabel = 'pod-template-hash';
export const annotations = {
  revision: 'deployment.kubernetes.io/revision',
  history: 'deployment.kubernetes.io/revision-history',
  desired: 'deployment.kubernetes.io/desired-replicas',
  max: 'deployment.kubernetes.io/max-replicas',
  rollback: 'deprecated.deployment.rollback.to',
} as const;
/** Of the Deployment alone, or of one revision. */
const notCopied: readonly string[] = ['kubectl.kubernetes.io/last-applied-configuration', ...Object.values(annotations)];
const maxHistoryLength = 2_000;

export type Annotations = Record<string, string>;

export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [hashLabel]: _, ...labels } = template.metadata.labels ?? {};
  const { labels: _with, ...metadata } = template.metadata;
  return { ...template, metadata: { ...metadata, ...(Object.keys(labels).length > 0 && { labels }) } };
}

export function sameTemplate(a: PodTemplateSpec, b: PodTemplateSpec): boolean {
  return isDeepStrictEqual(withoutHash(a), withoutHash(b));
}

/** The oldest where several have the template of now: which one was chosen must not depend on chance. */
export function newReplicaSet(deployment: StoredDeployment, sets: readonly StoredReplicaSet[]): StoredReplicaSet | undefined {
  const { template } = deployment.spec;
  return sets.toSorted(byAge).find((set) => set.spec.template && sameTemplate(set.spec.template, template));
}

/** Oldest first. */
export function byAge({ metadata: a }: StoredReplicaSet, { metadata: b }: StoredReplicaSet): number {
  return compare(a.creationTimestamp, b.creationTimestamp) || compare(a.name, b.name);
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Undefined: the annotation is no number. */
export function revisionOf({ metadata }: { readonly metadata: { readonly annotations?: Annotations | undefined } }): number | undefined {
  const text = metadata.annotations?.[annotations.revision];
  return text === undefined ? 0 : integer(text);
}

function integer(text: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

export function lastRevision(sets: readonly StoredReplicaSet[]): number {
  return sets.reduce((most, set) => Math.max(most, revisionOf(set) ?? 0), 0);
}

/** The one before the last. */
export function previousRevision(sets: readonly StoredReplicaSet[]): number {
  const known = sets.flatMap((set) => revisionOf(set) ?? []).toSorted((a, b) => b - a);
  return known[1] ?? 0;
}

/** Lowest revision first, as they are cleaned up. */
export function byRevision(a: StoredReplicaSet, b: StoredReplicaSet): number {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined || first === second ? byAge(a, b) : first - second;
}

/** Of a ReplicaSet that gets `revision`: those of the Deployment, its number, and the numbers that it had before. */
export function revisionAnnotations(deployment: StoredDeployment, before: Annotations | undefined, revision: number): Annotations {
  const next = { ...before, ...copiedAnnotations(deployment.metadata.annotations) };
  const oldText = before?.[annotations.revision];
  const old = oldText ? integer(oldText) : 0;
  if (old === undefined || old >= revision) return next;
  next[annotations.revision] = String(revision);
  if (oldText !== undefined) next[annotations.history] = longerHistory(before?.[annotations.history] ?? '', oldText);
  return next;
}

function longerHistory(history: string, revision: string): string {
  if (history === '' || history.startsWith(',')) return revision;
  const revisions = history.split(',');
  while (revisions.length > 0 && revisions.join(',').length + revision.length + 1 > maxHistoryLength) revisions.shift();
  return [...revisions, revision].join(',');
}

export function copiedAnnotations(of: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(of).filter(([key]) => !notCopied.includes(key)));
}

/** Those that a Deployment keeps when it goes back to an earlier revision. */
export function ownAnnotations(of: Annotations = {}): Annotations {
  return Object.fromEntries(Object.entries(of).filter(([key]) => notCopied.includes(key)));
}

/** By them a later change of scale is seen, and shared out in proportion. */
export function scaleAnnotations(deployment: StoredDeployment): Annotations {
  const desired = desiredReplicas(deployment);
  return { [annotations.desired]: String(desired), [annotations.max]: String(desired + maxSurge(deployment)) };
}

export function numberAnnotation({ metadata }: StoredReplicaSet, name: 'desired' | 'max'): number | undefined {
  const text = metadata.annotations?.[annotations[name]] ?? '';
  return /^[0-9]+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

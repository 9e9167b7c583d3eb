// The revisions of a DaemonSet: which one has the template of now, and which are no longer needed.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#api/api-error.ts';
import { kinds } from '#client/kinds.ts';
import { patchTypes, type RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { hashLabel } from '#controllers/workloads/daemon-set/daemon-pod.ts';
import type { StoredDaemonSet } from '#controllers/workloads/daemon-set/daemon-nodes.ts';
import { controllerReference } from '#controllers/workloads/owner.ts';
import type { PodView } from '#controllers/workloads/pod-view.ts';
import { byRevision, goJson, type RevisionData, revisionData, type StoredRevision, templateOf } from '#controllers/workloads/revisions/revision-data.ts';
import { controllerRevisions } from '#controllers/workloads/revisions/revision-view.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

export interface DaemonHistoryParts {
  readonly client: RestClient;
  readonly set: StoredDaemonSet;
  /** Those that the set controls. */
  readonly revisions: readonly StoredRevision[];
  readonly pods: readonly PodView[];
  readonly templateHash: (template: PodTemplateSpec, collisionCount?: number) => string;
}

export interface DaemonHistory {
  readonly hash: string;
  readonly old: readonly StoredRevision[];
}

export async function daemonHistory(parts: DaemonHistoryParts): Promise<DaemonHistory> {
  const { client, set, revisions } = parts;
  const isOfNow = (revision: StoredRevision) => isDeepStrictEqual(templateOf(revision), set.spec.template);
  const old = revisions.filter((revision) => !isOfNow(revision));
  const next = old.reduce((most, { revision }) => Math.max(most, revision), 0) + 1;
  const same = revisions.filter(isOfNow).toSorted(byRevision);
  const current = same.length === 0 ? await snapshot(parts, next) : await keepLast(parts, same);
  if (current.revision < next) await client.update(controllerRevisions, { ...current, revision: next });
  return { hash: current.metadata.labels?.[hashLabel] ?? current.metadata.name ?? '', old };
}

/** Several revisions of one template become one, and the pods of the others are counted to it. */
async function keepLast({ client, pods }: DaemonHistoryParts, same: readonly StoredRevision[]): Promise<StoredRevision> {
  const kept = same.at(-1) as StoredRevision;
  const hash = kept.metadata.labels?.[hashLabel];
  if (same.length === 1) return kept;
  for (const { namespace, name } of pods.filter(({ labels }) => labels[hashLabel] !== hash)) {
    await unlessGone(client.patch(kinds.pods, { namespace, name }, patchTypes.merge, { metadata: { labels: { [hashLabel]: hash } } }));
  }
  for (const { metadata } of same.slice(0, -1)) await remove(client, metadata);
  return kept;
}

async function remove(client: RestClient, { namespace = '', name = '' }: StoredRevision['metadata']): Promise<void> {
  await unlessGone(client.delete(controllerRevisions, namespace, name));
}

async function snapshot({ client, set, templateHash }: DaemonHistoryParts, revision: number): Promise<StoredRevision> {
  const { namespace = '', annotations } = set.metadata;
  const hash = templateHash(set.spec.template, set.status.collisionCount);
  const name = `${set.metadata.name}-${hash}`;
  // The original compares bytes: keys are written in its order.
  const data = JSON.parse(goJson(revisionData(set.spec.template))) as RevisionData;
  const labels = { ...set.spec.template.metadata.labels, [hashLabel]: hash };
  const metadata = { name, namespace, labels, ...(annotations && { annotations }), ownerReferences: [controllerReference(kinds.daemonSets, set)] };
  try {
    return (await client.create(controllerRevisions, namespace, { metadata, data, revision })) as StoredRevision;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 409)) throw error;
    const there = await client.get<StoredRevision>(controllerRevisions, namespace, name);
    if (isDeepStrictEqual(templateOf(there), set.spec.template)) return there;
    const status = { ...set.status, collisionCount: (set.status.collisionCount ?? 0) + 1 };
    await client.update(kinds.daemonSets, { ...set, status }, 'status');
    throw error;
  }
}

/** Beyond the limit the lowest go that no pod has any more. */
export async function truncateDaemonHistory({ client, set, pods }: DaemonHistoryParts, old: readonly StoredRevision[]): Promise<void> {
  const surplus = old.length - (set.spec.revisionHistoryLimit ?? 0);
  const live = new Set(pods.map(({ labels }) => labels[hashLabel]));
  const removable = old.filter(({ metadata }) => !live.has(metadata.labels?.[hashLabel])).toSorted(byRevision);
  for (const { metadata } of removable.slice(0, Math.max(0, surplus))) await remove(client, metadata);
}

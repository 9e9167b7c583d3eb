// The revisions of a StatefulSet: which is the current one, which the one that pods are updated to, and which are no longer needed.
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '#api/api-error.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { unlessGone } from '#controllers/controller.ts';
import { controllerReference } from '#controllers/workloads/owner.ts';
import type { PodView } from '#controllers/workloads/pod-view.ts';
import {
  byRevision,
  goJson,
  type RevisionData,
  revisionData,
  revisionHash,
  type StoredRevision,
  templateOf,
} from '#controllers/workloads/revisions/revision-data.ts';
import { controllerRevisions } from '#controllers/workloads/revisions/revision-view.ts';
import { revisionLabel, type StoredStatefulSet } from '#controllers/workloads/stateful-set/ordinals.ts';

export interface StatefulHistory {
  readonly current: StoredRevision;
  readonly update: StoredRevision;
  readonly collisionCount: number;
}

const longestPrefix = 223;

/** Makes or renumbers the revision of the template of now. `revisions` are those that the set controls. */
export async function statefulHistory(client: RestClient, set: StoredStatefulSet, revisions: readonly StoredRevision[]): Promise<StatefulHistory> {
  const sorted = revisions.toSorted(byRevision);
  const { collisionCount = 0, currentRevision } = set.status;
  const latest = sorted.at(-1);
  const equal = sorted.findLast((revision) => isDeepStrictEqual(templateOf(revision), set.spec.template));
  const next = (latest?.revision ?? 0) + 1;
  const updated = equal
    ? { update: equal === latest ? equal : await renumber(client, equal, next), collisionCount }
    : await create(client, set, next, collisionCount);
  const current = sorted.find(({ metadata }) => metadata.name === currentRevision) ?? updated.update;
  return { ...updated, current };
}

async function renumber(client: RestClient, equal: StoredRevision, revision: number): Promise<StoredRevision> {
  return client.update(controllerRevisions, { ...equal, revision });
}

/** A name that is taken by another template gets another hash. */
async function create(client: RestClient, set: StoredStatefulSet, revision: number, collisions: number) {
  // The original compares bytes: keys are written in its order.
  const data = JSON.parse(goJson(revisionData(set.spec.template))) as RevisionData;
  const { namespace = '', annotations } = set.metadata;
  // The label keeps the hash of the first try.
  const labels = { ...set.spec.template.metadata.labels, 'controller.kubernetes.io/hash': revisionHash(data, collisions) };
  for (let collisionCount = collisions; ; collisionCount++) {
    const name = `${set.metadata.name?.slice(0, longestPrefix)}-${revisionHash(data, collisionCount)}`;
    const metadata = { name, namespace, labels, ...(annotations && { annotations }), ownerReferences: [controllerReference(kinds.statefulSets, set)] };
    try {
      return { update: (await client.create(controllerRevisions, namespace, { metadata, data, revision })) as StoredRevision, collisionCount };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 409)) throw error;
      const there = await client.get<StoredRevision>(controllerRevisions, namespace, name);
      if (isDeepStrictEqual(there.data, data)) return { update: there, collisionCount };
    }
  }
}

/** Revisions that neither the set nor a pod of it needs go beyond the limit, the lowest first. */
export async function truncateHistory(
  client: RestClient,
  set: StoredStatefulSet,
  revisions: readonly StoredRevision[],
  { current, update }: StatefulHistory,
  pods: readonly PodView[],
): Promise<void> {
  const live = new Set([current.metadata.name, update.metadata.name, ...pods.map(({ labels }) => labels[revisionLabel])]);
  const past = revisions.filter(({ metadata }) => !live.has(metadata.name)).toSorted(byRevision);
  const { revisionHistoryLimit: limit = 0 } = set.spec;
  if (limit < 0 || past.length <= limit) return;
  for (const { metadata } of past.slice(0, past.length - limit)) {
    await unlessGone(client.delete(controllerRevisions, metadata.namespace ?? '', metadata.name ?? ''));
  }
}

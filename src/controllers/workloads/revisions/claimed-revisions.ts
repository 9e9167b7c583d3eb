// The revisions of a StatefulSet or DaemonSet: its own, with orphans that it adopts.
import { claimObjects, type ClaimOptions } from '#controllers/workloads/claim-objects.ts';
import type { ObjectView } from '#controllers/workloads/controlled-objects.ts';
import type { StoredRevision } from '#controllers/workloads/revisions/revision-data.ts';
import { type ControlledRevisions, controllerRevisions } from '#controllers/workloads/revisions/revision-view.ts';

export type Claiming = Pick<ClaimOptions<ObjectView>, 'client' | 'kind' | 'owner' | 'selector'>;

/** `mayClaim`: those that are looked at at all; others are neither adopted nor released. */
export async function claimedRevisions(
  revisions: ControlledRevisions,
  claiming: Claiming,
  mayClaim: (view: ObjectView) => boolean = () => true,
): Promise<readonly StoredRevision[]> {
  const { namespace = '', uid = '' } = claiming.owner.metadata;
  const candidates = [...revisions.controlledBy(uid), ...revisions.orphansIn(namespace)].filter(mayClaim);
  const claimed = await claimObjects(candidates, { ...claiming, resource: controllerRevisions });
  return claimed.flatMap((view) => revisions.object(view) ?? []);
}

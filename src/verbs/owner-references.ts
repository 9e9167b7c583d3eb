// An owner that is named twice counts once; the client hears of it.
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import { equalValues } from '#patch/members.ts';
import type { Call } from '#verbs/call.ts';

const seenWhere = { sent: '', admitted: ' after mutating admission happens' };

export function dropRepeatedOwners({ warn }: Pick<Call, 'warn'>, { metadata }: KubernetesObject, seen: keyof typeof seenWhere): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const repeated = owners.filter((owner, index) => isAmong(owners.slice(0, index), owner));
  if (repeated.length === 0) return;
  metadata.ownerReferences = owners.filter((owner) => !repeated.includes(owner));
  const uids = repeated.map(({ uid }) => uid).join(', ');
  warn(
    `.metadata.ownerReferences contains duplicate entries${seenWhere[seen]}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
}

function isAmong(owners: readonly OwnerReference[], owner: OwnerReference): boolean {
  return owners.some((other) => other.uid === owner.uid && equalValues(other, owner));
}

// An owner that is named twice counts once; the client hears of it.
import type { KubernetesObject, OwnerReference } from '#api/object.ts';
import type { Call } from '#verbs/call.ts';

const seenWhere = { sent: '', admitted: ' after mutating admission happens' };

export function dropRepeatedOwners({ warn }: Pick<Call, 'warn'>, { metadata }: KubernetesObject, seen: keyof typeof seenWhere): void {
  const owners = metadata.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  const { kept, repeated } = withoutRepeated(owners);
  if (repeated.length === 0) return;
  metadata.ownerReferences = kept;
  const uids = repeated.map(({ uid }) => uid).join(', ');
  warn(
    `.metadata.ownerReferences contains duplicate entries${seenWhere[seen]}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
}

function withoutRepeated(owners: readonly OwnerReference[]): { kept: OwnerReference[]; repeated: readonly OwnerReference[] } {
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const repeated: OwnerReference[] = [];
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const identity = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    (seen.has(identity) ? repeated : kept).push(owner);
    seen.add(identity);
  }
  return { kept, repeated };
}

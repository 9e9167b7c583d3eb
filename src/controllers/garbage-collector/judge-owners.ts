// What becomes of an object by what its owners are. Pure: the owners were looked at before.
import type { ObjectMeta } from '#api/object.ts';
import { foregroundFinalizer, orphanFinalizer } from '#controllers/garbage-collector/owner-graph.ts';

/** `solid` lives, `dangling` is gone or another object now, `waiting` is deleted in the foreground and waits for what it owns. */
export type OwnerState = 'solid' | 'dangling' | 'waiting';

export type Verdict =
  | { readonly is: 'keep' }
  /** Some owners live: these others are no longer named. */
  | { readonly is: 'release'; readonly owners: ReadonlySet<string> }
  /** `unblock`: what it owns waits in the foreground itself; a circle would wait for ever. */
  | { readonly is: 'delete'; readonly policy: 'Background' | 'Foreground' | 'Orphan'; readonly unblock: boolean };

export interface Dependents {
  readonly any: boolean;
  readonly waiting: boolean;
}

export function judgeOwners({ ownerReferences = [], finalizers = [] }: ObjectMeta, states: ReadonlyMap<string, OwnerState>, dependents: Dependents): Verdict {
  const solid = ownerReferences.filter(({ uid }) => states.get(uid) === 'solid');
  // An owner that was not looked at counts as living.
  if (ownerReferences.length === 0 || ownerReferences.some(({ uid }) => !states.has(uid)) || solid.length === ownerReferences.length) return { is: 'keep' };
  if (solid.length > 0) return { is: 'release', owners: new Set(ownerReferences.map(({ uid }) => uid).filter((uid) => states.get(uid) !== 'solid')) };
  const isWaitedFor = [...states.values()].includes('waiting');
  if (isWaitedFor && dependents.any) return { is: 'delete', policy: 'Foreground', unblock: dependents.waiting };
  const policy = finalizers.includes(orphanFinalizer) ? 'Orphan' : finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
  return { is: 'delete', policy, unblock: false };
}

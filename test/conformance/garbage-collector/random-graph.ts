import type { GraphObject, Owner, OwnerGraph, Step } from '../../support/owner-graphs.ts';
import { kinds } from '../../support/owner-graphs.ts';

/** `random` gives numbers from 0 to 1. */
export function randomGraph(random: () => number): OwnerGraph {
  const below = (limit: number) => Math.floor(random() * limit);
  const chance = (share: number) => random() < share;
  const owner = (object: number): Owner => ({
    object,
    ...(chance(0.5) && { blocks: true }),
    ...(chance(0.2) && { wrong: (['uid', 'uid', 'name', 'kind', 'unknown-kind'] as const)[below(5)] as NonNullable<Owner['wrong']> }),
  });
  const size = 3 + below(8);
  const objects = Array.from({ length: size }, (_, index): GraphObject => {
    const owners = index === 0 ? [] : Array.from(new Set(Array.from({ length: below(3) }, () => below(index)))).map(owner);
    return { kind: chance(0.75) ? below(3) : below(kinds.length), namespace: chance(0.9) ? 0 : 1, owners, ...(chance(0.08) && { held: true }) };
  });
  const policies = ['Background', 'Foreground', 'Foreground', 'Orphan'] as const;
  const steps = Array.from({ length: 1 + below(3) }, (): Step => {
    // Owners that come later make circles.
    if (chance(0.2)) return { own: below(size), by: { object: below(size), ...(chance(0.5) && { blocks: true }) } };
    return { delete: chance(0.6) ? below(Math.ceil(size / 2)) : below(size), policy: policies[below(policies.length)] ?? 'Background' };
  });
  return { objects, steps };
}

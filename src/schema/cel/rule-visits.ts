// The values of an object that rules are about, each with what it was before the write.
import type { RuleNode } from '#schema/cel/rule-tree.ts';
import { type Comparing, type Earlier, earlierItem, earlierMember, isUnchanged } from '#schema/structural/correlate.ts';

export interface RuleVisit {
  readonly node: RuleNode;
  readonly value: unknown;
  readonly path: string;
  /** What transition rules compare with; undefined or null when there was nothing. */
  readonly old: unknown;
  readonly ratchet: Ratchet;
}

/** The old value by which a broken rule may be forgiven: its own, or where it has none the nearest one around it. */
interface Ratchet {
  readonly own?: Correlated | undefined;
  readonly around?: Correlated | undefined;
}

interface Correlated {
  readonly value: unknown;
  readonly earlier: Earlier;
}

export interface VisitStart {
  readonly value: unknown;
  readonly old: unknown;
  readonly at: string;
  readonly ratchets: boolean;
  readonly comparing?: Comparing | undefined;
}

export function ruleVisits(node: RuleNode, { value, old, at, ratchets, comparing }: VisitStart): Generator<RuleVisit> {
  const own = ratchets ? { value, earlier: { value: old, schema: node.schema, comparing } } : undefined;
  return visits({ node, value, old, path: at, ratchet: { own } });
}

/** True when the value, or what it stands in where it cannot be found again, is what it was. */
export function isRatcheted({ ratchet: { own, around } }: RuleVisit): boolean {
  const compared = own ?? around;
  return compared !== undefined && isUnchanged(compared.value, compared.earlier);
}

function* visits(visit: RuleVisit): Generator<RuleVisit> {
  const { node, value, path, old, ratchet } = visit;
  // Rules about null stand around the value that may be null.
  if (value === undefined || value === null) return;
  yield visit;
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    const before: Earlier = { value: old, schema: node.schema };
    for (const [index, item] of value.entries()) {
      const place = { node: items, value: item, path: `${path}[${index}]` };
      yield* visits({ ...place, old: earlierItem(before, item)?.value, ratchet: itemRatchet(ratchet, item) });
    }
    return;
  }
  if (typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    const below = node.values ?? node.members.get(name);
    if (below === undefined) continue;
    const at = node.values !== undefined ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    yield* visits({ node: below, value: member, path: at, old: memberOf(old, name), ratchet: memberRatchet(ratchet, name, member) });
  }
}

function memberOf(old: unknown, name: string): unknown {
  return typeof old === 'object' && old !== null && !Array.isArray(old) && Object.hasOwn(old, name) ? (old as Record<string, unknown>)[name] : undefined;
}

function memberRatchet(ratchet: Ratchet, name: string, value: unknown): Ratchet {
  const { own, around } = ratchet;
  if (own === undefined) return ratchet;
  // Both objects are of one kind and version by now: whether that changed cannot be seen.
  if (around === undefined && (name === 'apiVersion' || name === 'kind')) return {};
  const earlier = earlierMember(own.earlier, name);
  return { own: earlier && { value, earlier }, around: own };
}

function itemRatchet(ratchet: Ratchet, value: unknown): Ratchet {
  const { own } = ratchet;
  if (own === undefined) return ratchet;
  const earlier = earlierItem(own.earlier, value);
  return { own: earlier && { value, earlier }, around: own };
}

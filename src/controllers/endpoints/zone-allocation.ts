// How many endpoints each zone should have, by its share of the CPUs of all nodes, so that no endpoint gets much more than its part of the
// traffic. Pure; the numbers are those of the original's topology aware hints.

/** The part of all CPUs that each zone has; they add up to 1. */
export type ZoneShares = ReadonlyMap<string, number>;
export type ZoneCounts = ReadonlyMap<string, number>;

export interface ZoneNode {
  readonly zone: string;
  readonly milliCpu: number;
}

export interface Allocation {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired: number;
}

/** An endpoint may get so much more than its part. */
const overload = 0.2;

/** Of nodes that are ready. Undefined: a node does not tell its zone or CPUs, or there is but one zone. */
export function zoneShares(nodes: Iterable<ZoneNode>): ZoneShares | undefined {
  const milliCpus = new Map<string, number>();
  let total = 0;
  for (const { zone, milliCpu } of nodes) {
    if (zone === '' || milliCpu === 0) return undefined;
    milliCpus.set(zone, (milliCpus.get(zone) ?? 0) + milliCpu);
    total += milliCpu;
  }
  if (milliCpus.size < 2) return undefined;
  return new Map([...milliCpus].map(([zone, milliCpu]) => [zone, milliCpu / total]));
}

/** A text: why there are none. */
export function allocationsOf(shares: ZoneShares | undefined, endpoints: number): ReadonlyMap<string, Allocation> | string {
  if (shares === undefined) return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
  const counted = `(${endpoints} endpoints, ${shares.size} zones)`;
  if (shares.size > endpoints) return `Insufficient number of endpoints ${counted}`;
  const minima = new Map([...shares].map(([zone, share]) => [zone, minimumOf(share * endpoints)]));
  const spare = endpoints - [...minima.values()].reduce((sum, minimum) => sum + minimum, 0);
  if (spare < 0) return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counted}`;
  return new Map(
    [...minima].map(([zone, minimum]) => [zone, { minimum, maximum: minimum + spare, desired: Math.max((shares.get(zone) ?? 0) * endpoints, minimum) }]),
  );
}

/** Has a zone fewer endpoints than it needs at least? */
export function isOverloaded(counts: ZoneCounts, shares: ZoneShares | undefined): boolean {
  if (counts.size === 0) return false;
  if (shares === undefined) return true;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [...shares].some(([zone, share]) => (counts.get(zone) ?? -1) < minimumOf(share * total));
}

function minimumOf(desired: number): number {
  return Math.ceil(desired * (1 / (1 + overload)));
}

export interface Moves {
  /** How many endpoints each zone has too many of. */
  readonly giving: Map<string, number>;
  readonly receiving: Map<string, number>;
}

/** From the zones with the greatest surplus to those that lack most, while that brings both nearer to what they should have. */
export function movesBetween(allocations: ReadonlyMap<string, Allocation>, counts: ZoneCounts): Moves {
  const surplus = new Map<string, number>();
  const lack = new Map<string, number>();
  for (const [zone, { desired }] of allocations) {
    const difference = (counts.get(zone) ?? 0) - desired;
    if (difference > 0) surplus.set(zone, difference);
    else if (difference < 0) lack.set(zone, -difference);
  }
  const moves: Moves = { giving: new Map(), receiving: new Map() };
  for (;;) {
    const [from, most] = greatest(surplus);
    const [to, least] = greatest(lack);
    if (from === undefined || to === undefined || (most < 1 && least < 1) || most < 0.5 || least < 0.5) return moves;
    add(moves.giving, from, 1);
    add(surplus, from, -1);
    add(moves.receiving, to, 1);
    add(lack, to, -1);
  }
}

function greatest(numbers: ReadonlyMap<string, number>): readonly [string | undefined, number] {
  let found: readonly [string | undefined, number] = [undefined, 0];
  for (const entry of numbers) if (entry[1] > found[1]) found = entry;
  return found;
}

export function add(numbers: Map<string, number>, key: string, by: number): void {
  numbers.set(key, (numbers.get(key) ?? 0) + by);
}

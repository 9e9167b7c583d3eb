// How the seats of the server are shared out: each level's nominal part, and what it lends or borrows right now.
import type { PriorityLevelSpec } from '#server/flow-control/flow-objects.ts';

export interface Bounds {
  readonly nominal: number;
  /** What is never lent. */
  readonly lower: number;
  readonly upper: number;
}

export function boundsOf(specs: ReadonlyMap<string, PriorityLevelSpec>, total: number): Map<string, Bounds> {
  const sum = [...specs.values()].reduce((shares, spec) => shares + sharesOf(spec), 0);
  return new Map([...specs].map(([name, spec]) => [name, bounds(spec, sum === 0 ? 0 : Math.ceil((total * sharesOf(spec)) / sum), total)]));
}

function sharesOf({ type, limited, exempt }: PriorityLevelSpec): number {
  return (type === 'Exempt' ? exempt?.nominalConcurrencyShares : (limited?.nominalConcurrencyShares ?? 30)) ?? 0;
}

function bounds({ limited, exempt }: PriorityLevelSpec, nominal: number, total: number): Bounds {
  const lendable = limited?.lendablePercent ?? exempt?.lendablePercent ?? 0;
  const borrowing = limited?.borrowingLimitPercent;
  return {
    nominal,
    lower: nominal - Math.round((nominal * lendable) / 100),
    upper: borrowing === undefined ? Math.max(total, nominal) : nominal + Math.round((nominal * borrowing) / 100),
  };
}

export interface Claim extends Bounds {
  readonly highest: number;
  readonly smoothed: number;
}

/** Seats in proportion to what each level wants, within its bounds and never below what it needed and owns. */
export function allotSeats(claims: ReadonlyMap<string, Claim>, total: number): Map<string, number> {
  const floors = new Map([...claims].map(([name, claim]) => [name, Math.max(claim.lower, Math.min(claim.nominal, claim.highest))]));
  const floorSum = [...floors.values()].reduce((sum, floor) => sum + floor, 0);
  if (floorSum >= total) return floors;
  const at = (fraction: number) =>
    new Map(
      [...claims].map(([name, { smoothed, upper }]) => {
        const floor = floors.get(name) ?? 0;
        return [name, Math.max(floor, Math.min(upper, fraction * Math.max(floor, smoothed, 1)))] as const;
      }),
    );
  return rounded(at(fairFraction((fraction) => [...at(fraction).values()].reduce((sum, seats) => sum + seats, 0), total)));
}

/** By bisection: the sum grows with the fraction until every level is at its upper bound. */
function fairFraction(sumAt: (fraction: number) => number, total: number): number {
  let low = 0;
  let high = total;
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) < total) low = middle;
    else high = middle;
  }
  return high;
}

function rounded(seats: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...seats].map(([name, value]) => [name, Math.max(1, Math.round(value))]));
}

// Amounts by resource name, parsed: what limits and quotas calculate with.
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity, signOfQuantity, subtractQuantities } from '#base/quantity.ts';

export type ResourceList = Readonly<Record<string, string>>;
export type Amounts = Map<string, Quantity>;

/** The same few amounts are asked for again and again. */
const parsed = sharedMemo(new TextMemo<Quantity>(256 << 10));

export function parseAmount(text: string): Quantity {
  return parsed.get(text) ?? parsed.add(text, parseQuantity);
}

export function parseAmounts(list: ResourceList | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const name in list) amounts.set(name, parseAmount(list[name] ?? '0'));
  return amounts;
}

export function formatAmounts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

export function addTo(sum: Amounts, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of other) {
    const before = sum.get(name);
    sum.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

export function raiseTo(most: Amounts, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of other) {
    const before = most.get(name);
    if (before === undefined || compareQuantities(amount, before) > 0) most.set(name, amount);
  }
}

/** What `now` has more than `before`, of those names; never less than nothing. */
export function growth(now: ReadonlyMap<string, Quantity>, before: ReadonlyMap<string, Quantity>, names: Iterable<string> = now.keys()): Amounts {
  const grown: Amounts = new Map();
  for (const name of names) {
    const amount = now.get(name);
    if (amount === undefined) continue;
    const earlier = before.get(name);
    const difference = earlier === undefined ? amount : subtractQuantities(amount, earlier);
    if (signOfQuantity(difference) > 0) grown.set(name, difference);
  }
  return grown;
}

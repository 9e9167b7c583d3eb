/** `x in [constants]`: a set, made once. As in cel-go it has no cost of its own. */
import { CelError, type CelValue, isList, Uint } from '../value.ts';
import { constantPlan, type Plan } from './plan.ts';

/** Undefined when the list is not constant or has elements other than plain scalars. */
export function membershipPlan(element: Plan, list: Plan): Plan | undefined {
  const constant = list.constant?.value;
  if (constant === undefined || !isList(constant)) return undefined;
  if (constant.size() === 0) return constantPlan(false);
  const members = new Set<unknown>();
  for (const value of constant) {
    const key = memberKey(value);
    if (key === undefined) return undefined;
    members.add(key);
  }
  const { evaluate } = element;
  return {
    evaluate: (state) => {
      const value = evaluate(state);
      if (value instanceof CelError) return value;
      const key = memberKey(value);
      return key !== undefined && !Number.isNaN(key) && members.has(key);
    },
  };
}

/** Numbers by value, whatever their type; undefined for everything that is no scalar. */
function memberKey(value: CelValue): string | boolean | bigint | number | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (value instanceof Uint) return value.value;
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) ? BigInt(value) : value;
}

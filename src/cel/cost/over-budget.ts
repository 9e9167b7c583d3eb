import { fixedText } from '#cel/library/decimal-text.ts';

/** The complaint about an estimate beyond its limit, e.g. of `estimated rule cost`. */
export function overBudget(what: string, cost: number, limit: number): string {
  const hint = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${excess(cost / limit)} (${hint})`;
}

/** Small excess is shown with all its digits, so that it does not read as none. */
function excess(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${fixedText(factor, factor < 1.5 ? 6 : 1)}x`;
}

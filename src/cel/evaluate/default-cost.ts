/** What cel-go's cost tracker charges for standard functions when no library says otherwise. */
import type { ActualCost } from '../library.ts';
import { actualSize, type CelValue } from '../value.ts';

const traversal = 0.1;
const perPatternCharacter = 0.25;

const ofFirst: ActualCost = (args) => traversed(sizeOf(args, 0));
const ofSmaller: ActualCost = (args) => traversed(Math.min(sizeOf(args, 0), sizeOf(args, 1)));
const ofSum: ActualCost = (args) => traversed(sizeOf(args, 0) + sizeOf(args, 1));

const defaults: Readonly<Record<string, ActualCost>> = {
  starts_with_string: ofFirst,
  ends_with_string: ofFirst,
  string_to_bytes: ofFirst,
  bytes_to_string: ofFirst,
  strings_quote: ofFirst,
  string_format: ofFirst,
  in_list: (args) => sizeOf(args, 1),
  ...Object.fromEntries(
    ['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) => [`${name}_string`, `${name}_bytes`]).map((id) => [id, ofSmaller]),
  ),
  equals: ofSmaller,
  not_equals: ofSmaller,
  add_string: ofSum,
  add_bytes: ofSum,
  matches_string: (args) => traversed(1 + sizeOf(args, 0)) * Math.ceil(sizeOf(args, 1) * perPatternCharacter),
  contains_string: (args) => traversed(sizeOf(args, 0)) * traversed(sizeOf(args, 1)),
};

/** Undefined for the calls that cost one unit. */
export function defaultCost(overloadId: string): ActualCost | undefined {
  return Object.hasOwn(defaults, overloadId) ? defaults[overloadId] : undefined;
}

function traversed(size: number): number {
  return Math.ceil(size * traversal);
}

function sizeOf(args: readonly CelValue[], index: number): number {
  return actualSize(args[index] ?? null);
}

// Estimates of cel-go's standard functions and operators, by overload.
import type { CallEstimate, CostNode } from '#cel/cost/cost-node.ts';
import { add, type Estimate, exactly, multiply, scale, unbounded, unknownSize } from '#cel/cost/estimate.ts';
import { regexLengthFactor, traversalFactor } from '#cel/cost/factors.ts';

type Estimator = (target: CostNode | undefined, args: readonly CostNode[]) => CallEstimate | undefined;

/** Undefined where the call costs 1. What the checker's tree must be known for (`&&`, `?:`, `+` of lists) is done by the estimator of expressions. */
export function defaultCallEstimate(overloadId: string, target: CostNode | undefined, args: readonly CostNode[]): CallEstimate | undefined {
  return estimators.get(overloadId)?.(target, args);
}

export function sizeOrUnknown(node: CostNode | undefined): Estimate {
  return node?.size ?? unknownSize;
}

const traverseTarget: Estimator = (target) => (target === undefined ? undefined : { cost: scale(sizeOrUnknown(target), traversalFactor) });

const traverseOnlyArgument: Estimator = (_target, args) => (args.length === 1 ? { cost: scale(sizeOrUnknown(args[0]), traversalFactor) } : undefined);

const stringToBytes: Estimator = (_target, args) => {
  const size = sizeOrUnknown(args[0]);
  return { cost: scale(size, traversalFactor), resultSize: { min: size.min, max: Math.min(size.max * 4, unbounded) } };
};

const bytesToString: Estimator = (_target, args) => {
  const size = sizeOrUnknown(args[0]);
  return { cost: scale(size, traversalFactor), resultSize: { min: Math.floor(size.min / 4), max: size.max } };
};

const quote: Estimator = (_target, args) => {
  const size = sizeOrUnknown(args[0]);
  // Twice 2^64-1 and 2 more are 0 in 64 bits.
  return { cost: scale(size, traversalFactor), resultSize: { min: size.min + 2, max: size.max === unbounded ? 0 : size.max * 2 + 2 } };
};

const inList: Estimator = (_target, args) => (args.length === 2 ? { cost: sizeOrUnknown(args[1]) } : undefined);

const matches: Estimator = (target, args) => {
  if (target === undefined || args.length !== 1) return undefined;
  const text = scale(add(sizeOrUnknown(target), exactly(1)), traversalFactor);
  return { cost: multiply(text, scale(sizeOrUnknown(args[0]), regexLengthFactor)) };
};

const contains: Estimator = (target, args) => {
  if (target === undefined || args.length !== 1) return undefined;
  return { cost: multiply(scale(sizeOrUnknown(target), traversalFactor), scale(sizeOrUnknown(args[0]), traversalFactor)) };
};

/** The smaller of both decides how far they are compared. */
const compare: Estimator = (_target, args) => {
  const smallest = Math.min(sizeOrUnknown(args[0]).max, sizeOrUnknown(args[1]).max);
  return { cost: scale({ min: smallest > 0 ? 1 : 0, max: smallest }, traversalFactor) };
};

const comparisons = ['less', 'greater', 'less_equals', 'greater_equals'].flatMap((operator) => [`${operator}_string`, `${operator}_bytes`]);

const estimators: ReadonlyMap<string, Estimator> = new Map([
  ['string_format', traverseTarget],
  ['string_to_bytes', stringToBytes],
  ['bytes_to_string', bytesToString],
  ['strings_quote', quote],
  ['starts_with_string', traverseOnlyArgument],
  ['ends_with_string', traverseOnlyArgument],
  ['in_list', inList],
  ['matches_string', matches],
  ['contains_string', contains],
  ...['equals', 'not_equals', ...comparisons].map((id): [string, Estimator] => [id, compare]),
]);

// Estimates of cel-go's sets and lists libraries, by overload.
import type { CallEstimate, CostNode, EstimatedCall } from '#cel/cost/cost-node.ts';
import { add, type Estimate, exactly, multiply, scale, unbounded } from '#cel/cost/estimate.ts';
import { listCreateCost, traversalFactor } from '#cel/cost/factors.ts';

export function listExtensionEstimate(call: EstimatedCall): CallEstimate | undefined {
  const estimate = estimators.get(call.overloadId);
  if (estimate !== undefined) return estimate(call);
  const sorted = /^list_(.+)_(sort|sortByAssociatedKeys)$/.exec(call.overloadId);
  return sorted === null ? undefined : sort(call, sorted[2] === 'sort' ? call.target : call.args[0], sorted[1] === 'string' || sorted[1] === 'bytes');
}

type Estimator = (call: EstimatedCall) => CallEstimate | undefined;

/** Every element of one list is looked for in the other. */
function crossed(factor: number): Estimator {
  return ({ args: [left, right], sizeOf }) => {
    if (left === undefined || right === undefined) return undefined;
    return { cost: add(scale(multiply(sizeOf(left), sizeOf(right)), factor), exactly(1)) };
  };
}

/** A call that makes a list of that size, and what it costs per element. */
function making(size: Estimate, factor: number): CallEstimate {
  return { cost: add(scale(size, factor), exactly(1 + listCreateCost)), resultSize: size };
}

/** Elements are compared with each other; upstream gives the number of comparisons as the size of the result. */
function sort({ sizeOf }: EstimatedCall, list: CostNode | undefined, ofTexts: boolean): CallEstimate | undefined {
  if (list === undefined) return undefined;
  const size = sizeOf(list);
  return making(multiply(size, size), ofTexts ? 2 + traversalFactor : 2);
}

/** The bounds are subtracted as unsigned numbers: slice(2, 1) is very large. */
const slice: Estimator = ({ target, args: [start, end], sizeOf }) => {
  if (target === undefined || start === undefined || end === undefined) return undefined;
  const size = literalInt(end, sizeOf(target).max) - literalInt(start, 0);
  return making(exactly(size < 0 ? unbounded : size), 1);
};

const range: Estimator = ({ args: [count] }) => (count === undefined ? undefined : making(exactly(literalInt(count, unbounded)), 1));

const reverse: Estimator = ({ target, sizeOf }) => (target === undefined ? undefined : making(sizeOf(target), 1));

const distinct: Estimator = (call) => sort(call, call.target, false);

const flatten: Estimator = ({ target, args: [depth], sizeOf }) => {
  if (target === undefined) return undefined;
  return making(sizeOf(target), depth === undefined ? 1 : literalInt(depth, unbounded));
};

/** Written in the expression; negative ones count as zero. */
function literalInt(node: CostNode, otherwise: number): number {
  const value = node.expr?.kind === 'constant' ? node.expr.value : undefined;
  if (typeof value !== 'bigint') return otherwise;
  return value < 0n ? 0 : Number(value);
}

const estimators: ReadonlyMap<string, Estimator> = new Map([
  ['list_sets_contains_list', crossed(1)],
  ['list_sets_intersects_list', crossed(1)],
  ['list_sets_equivalent_list', crossed(2)],
  ['list_slice', slice],
  ['list_flatten', flatten],
  ['list_flatten_int', flatten],
  ['lists_range', range],
  ['list_reverse', reverse],
  ['list_distinct', distinct],
]);

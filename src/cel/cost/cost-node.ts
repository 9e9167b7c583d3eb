import type { Expr } from '#cel/ast.ts';
import type { Estimate } from '#cel/cost/estimate.ts';
import type { Type } from '#cel/type.ts';

/** A node of an expression as estimators of sizes and calls see it (cel-go's checker.AstNode). */
export interface CostNode {
  /**
   * Where the value comes from: a variable, then field names, `@items`, `@keys`, `@values` or `@indices`. Undefined when it was made by the expression.
   */
  readonly path: readonly string[] | undefined;
  readonly type: Type;
  /** Absent for the elements of a list, which stand in no expression. */
  readonly expr: Expr | undefined;
  /** The size as far as the expression itself tells it. */
  readonly size: Estimate | undefined;
}

/** The size of what a path leads to, from the bounds of a schema (maxLength, maxItems, maxProperties); undefined when nothing is known. */
export type SizeEstimator = (node: CostNode) => Estimate | undefined;

export interface CallEstimate {
  readonly cost: Estimate;
  readonly resultSize?: Estimate;
}

/** A call whose cost is asked for; the arguments do not include the receiver. */
export interface EstimatedCall {
  readonly function: string;
  readonly overloadId: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  /** The size of an argument or of an element: from the expression, else from the schema, else unknown. */
  sizeOf(node: CostNode): Estimate;
}

/** The cost of a call without its arguments; undefined leaves cel-go's default. */
export type CallEstimator = (call: EstimatedCall) => CallEstimate | undefined;

/** Terms of `&&` or `||` as a balanced tree, so that long chains do not nest deeply (cel-go's balancing logic manager). */
import type { Expr } from '../ast.ts';
import type { NodeFactory } from './node-factory.ts';

/** `ids[i]` is the node of the operator between terms i and i+1. */
export function balancedLogic(nodes: NodeFactory, name: string, terms: readonly Expr[], ids: readonly number[]): Expr {
  const term = (index: number): Expr => {
    const expr = terms[index];
    if (expr === undefined) throw new RangeError('no such term');
    return expr;
  };
  const subtree = (low: number, high: number): Expr => {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? term(middle) : subtree(low, middle - 1);
    const right = middle === high ? term(middle + 1) : subtree(middle + 1, high);
    return nodes.call(ids[middle] ?? 0, name, [left, right]);
  };
  return ids.length === 0 ? term(0) : subtree(0, ids.length - 1);
}

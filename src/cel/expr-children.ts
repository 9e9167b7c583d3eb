import type { Expr } from '#cel/ast.ts';

/** The nodes right below a node, in the order of the source. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'constant':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.accumulatorInit, expr.condition, expr.step, expr.result];
  }
}

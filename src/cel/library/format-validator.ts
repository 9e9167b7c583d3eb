// The check of `string.format` calls at compile time: where the format is a literal and so is the list of arguments, clauses and types must agree.
import type { CallExpr, CheckedAst, Expr } from '#cel/ast.ts';
import { childrenOf } from '#cel/expr-children.ts';
import { type Clause, interpolate, wrongArgument } from '#cel/library/format-clauses.ts';
import type { NodeProblem } from '#cel/library.ts';
import { dynType, type Type, type TypeKind } from '#cel/type.ts';
import { CelError } from '#cel/value.ts';

export function formatCallProblems(ast: CheckedAst): readonly NodeProblem[] {
  const problems: NodeProblem[] = [];
  // Inner calls first: what is said about the same place stands in this order.
  const visit = (expr: Expr): void => {
    for (const child of childrenOf(expr)) visit(child);
    const problem = expr.kind === 'call' ? problemOf(ast, expr) : undefined;
    if (problem !== undefined) problems.push(problem);
  };
  visit(ast.root);
  return problems;
}

function problemOf(ast: CheckedAst, { id, function: name, target, args: [list, ...more] }: CallExpr): NodeProblem | undefined {
  if (name !== 'format' || target?.kind !== 'constant' || typeof target.value !== 'string' || list?.kind !== 'list' || more.length > 0) return undefined;
  const overloads = ast.references.get(id)?.overloadIds ?? [];
  if (overloads.length > 0 && !overloads.includes('string_format')) return undefined;
  const { elements } = list;
  try {
    const { used } = interpolate(target.value, { argumentCount: elements.length, write: (clause, index) => checkArgument(ast, clause, elements[index]) });
    if (elements.length <= used) return undefined;
    return { nodeId: id, message: `too many arguments supplied to string.format (expected ${used}, got ${elements.length})` };
  } catch (error) {
    if (error instanceof CelError) return { nodeId: error.nodeId ?? id, message: error.message };
    throw error;
  }
}

const writable: Readonly<Record<Clause['verb'], readonly TypeKind[]>> = {
  s: ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  d: ['int', 'uint'],
  // Texts may be NaN, Infinity and -Infinity.
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

function checkArgument(ast: CheckedAst, { verb }: Clause, argument: Expr | undefined): string {
  if (argument === undefined) return '';
  const type = typeOf(ast, argument);
  if (type.kind !== 'dyn' && !writable[verb].includes(type.kind)) throw wrongArgument(verb, type.name, argument.id);
  if (verb === 's') for (const part of literalParts(argument)) checkArgument(ast, { verb, precision: 0 }, part);
  return '';
}

/** The elements, keys and values that a literal list or map shows. */
function literalParts(expr: Expr): readonly Expr[] {
  if (expr.kind === 'list') return expr.elements;
  return expr.kind === 'map' ? expr.entries.flatMap(({ key, value }) => [key, value]) : [];
}

function typeOf(ast: CheckedAst, expr: Expr): Type {
  return ast.types.get(expr.id) ?? dynType;
}

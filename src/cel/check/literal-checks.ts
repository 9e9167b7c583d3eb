/** Checks of constants after type checking: cel-go's validators that Kubernetes 1.29 and later enable. */
import type { CheckedAst, Expr } from '../ast.ts';
import { childrenOf } from '../expr-children.ts';
import { compilePattern } from '../standard/pattern.ts';
import { checkedTimestamp, parseDuration, parseTimestamp } from '../standard/time.ts';
import { dynType, formatType, type Type } from '../type.ts';
import { CelError, type CelValue } from '../value.ts';
import type { CheckError } from './checker.ts';

/** Validators run one after another over the whole tree. */
export function checkLiterals(ast: CheckedAst): readonly CheckError[] {
  const nodes = [...descendants(ast.root)];
  return [
    ...constantArguments(nodes, 'duration', (value) => typeof value !== 'string' || parseDuration(value) === undefined),
    ...constantArguments(nodes, 'timestamp', isNoTimestamp),
    ...constantArguments(nodes, 'matches', isNoPattern),
    ...[...descendants(ast.root, isFormatCall)].flatMap((node) => disagreements(ast, node)),
  ];
}

/** Complaints about the first argument, not counting a receiver, where it is constant. */
function constantArguments(nodes: readonly Expr[], name: string, isWrong: (value: CelValue) => boolean): readonly CheckError[] {
  return nodes.flatMap((node) => {
    const argument = node.kind === 'call' && node.function === name ? node.args[0] : undefined;
    return argument?.kind === 'constant' && isWrong(argument.value) ? [{ nodeId: argument.id, message: `invalid ${name} argument` }] : [];
  });
}

function isNoTimestamp(value: CelValue): boolean {
  if (typeof value === 'bigint') return fails(() => checkedTimestamp(value * 1_000_000_000n));
  return typeof value === 'string' && fails(() => parseTimestamp(value) ?? raise());
}

function isNoPattern(value: CelValue): boolean {
  return typeof value === 'string' && fails(() => compilePattern(value));
}

function raise(): never {
  throw new CelError('');
}

function fails(attempt: () => unknown): boolean {
  try {
    attempt();
    return false;
  } catch (error) {
    if (error instanceof CelError) return true;
    throw error;
  }
}

/** Elements of one list, keys or values of one map, that are of another type than the first. */
function disagreements(ast: CheckedAst, node: Expr): readonly CheckError[] {
  const typeOf = (expr: Expr, optional: boolean): Type => {
    const type = ast.types.get(expr.id) ?? dynType;
    return optional ? (type.params[0] ?? dynType) : type;
  };
  const disagreeing = (exprs: readonly Expr[], isOptional: (index: number) => boolean): readonly CheckError[] => {
    const [first] = exprs;
    if (first === undefined) return [];
    const expected = typeOf(first, isOptional(0));
    return exprs.flatMap((expr, index) => {
      const type = typeOf(expr, isOptional(index));
      return equivalent(expected, type) ? [] : [{ nodeId: expr.id, message: `expected type '${formatType(expected)}' but found '${formatType(type)}'` }];
    });
  };
  if (node.kind === 'list') return disagreeing(node.elements, (index) => node.optionalIndices.includes(index)).slice(0, 1);
  if (node.kind !== 'map') return [];
  const keys = node.entries.map((entry) => entry.key);
  const values = node.entries.map((entry) => entry.value);
  return [...disagreeing(keys, () => false), ...disagreeing(values, (index) => node.entries[index]?.optional === true)];
}

/** The same type; names of type parameters do not matter. */
function equivalent(a: Type, b: Type): boolean {
  if (a.kind !== b.kind || a.params.length !== b.params.length || (a.kind !== 'typeParam' && a.name !== b.name)) return false;
  return a.params.every((param, index) => equivalent(param, b.params[index] ?? dynType));
}

/** What is formatted may be of any types. */
function isFormatCall(expr: Expr): boolean {
  return expr.kind === 'call' && expr.function === 'format';
}

/** Every node of the tree, parents before children; what is below a node that is left out is left out too. */
function* descendants(expr: Expr, isLeftOut: (expr: Expr) => boolean = () => false): Iterable<Expr> {
  if (isLeftOut(expr)) return;
  yield expr;
  for (const child of childrenOf(expr)) yield* descendants(child, isLeftOut);
}

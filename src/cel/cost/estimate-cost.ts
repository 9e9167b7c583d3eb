// What an expression costs at least and at most, before it ever runs: cel-go's checker.Cost. Sizes come from the expression where it tells them and from the
// schema where it does not; a loop costs its body times the size of what it runs over.
import type { CallExpr, CheckedAst, ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr } from '#cel/ast.ts';
import type { CallEstimate, CallEstimator, CostNode, SizeEstimator } from '#cel/cost/cost-node.ts';
import { defaultCallEstimate, sizeOrUnknown } from '#cel/cost/default-call-estimate.ts';
import { add, type Estimate, exactly, multiply, scale, unbounded, union, unknownSize } from '#cel/cost/estimate.ts';
import { listCreateCost, mapCreateCost, selectCost, structCreateCost, traversalFactor } from '#cel/cost/factors.ts';
import { dynType, type Type } from '#cel/type.ts';
import { codePointLength } from '#cel/value.ts';

export interface Estimators {
  readonly size?: SizeEstimator;
  readonly call?: CallEstimator;
}

export function estimateCost(ast: CheckedAst, estimators: Estimators): Estimate {
  return new CostEstimation(ast, estimators).cost(ast.root);
}

const nothing = exactly(0);

/** The sizes of the elements of a list or of the keys and values of a map. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: Estimate;
  readonly value: Estimate;
}

interface LocalVariable {
  readonly path: readonly string[];
  readonly size: Estimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

/** One walk over one expression; the order of the walk matters, since what is learnt of a node is used by those after it. */
class CostEstimation {
  readonly #ast: CheckedAst;
  readonly #estimators: Estimators;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Estimate>();
  readonly #entrySizes = new Map<number, EntrySize>();
  readonly #locals = new Map<string, LocalVariable[]>();

  constructor(ast: CheckedAst, estimators: Estimators) {
    this.#ast = ast;
    this.#estimators = estimators;
  }

  cost(expr: Expr): Estimate {
    switch (expr.kind) {
      case 'constant':
        return nothing;
      case 'ident':
        return this.#costOfIdent(expr, expr.name);
      case 'select':
        return this.#costOfSelect(expr);
      case 'call':
        return this.#costOfCall(expr);
      case 'list':
        return this.#costOfList(expr);
      case 'map':
        return this.#costOfMap(expr);
      case 'struct':
        return expr.fields.reduce((sum, field) => add(sum, this.cost(field.value)), exactly(structCreateCost));
      case 'comprehension':
        return isBinding(expr) ? this.#costOfBinding(expr) : this.#costOfComprehension(expr);
    }
  }

  #costOfIdent(expr: IdentExpr | SelectExpr, name: string): Estimate {
    this.#paths.set(expr.id, this.#local(name)?.path ?? [name]);
    return exactly(selectCost);
  }

  #costOfSelect(expr: SelectExpr): Estimate {
    // A qualified name (`net.IP`) is one identifier.
    const reference = this.#ast.references.get(expr.id);
    if (reference !== undefined) return this.#costOfIdent(expr, reference.name);
    const operand = this.cost(expr.operand);
    // Kubernetes keeps has() free, as it was before cel-go v0.17.7.
    if (expr.testOnly) return operand;
    this.#paths.set(expr.id, [...this.#pathOf(expr.operand), expr.field]);
    const { kind } = this.#typeOf(expr.operand);
    return kind === 'map' || kind === 'struct' || kind === 'typeParam' ? add(operand, exactly(selectCost)) : operand;
  }

  #costOfCall(expr: CallExpr): Estimate {
    if (expr.function === 'dyn' && expr.args.length === 1) return this.#costOfDyn(expr);
    const costs: Estimate[] = [];
    const args: CostNode[] = [];
    for (const arg of expr.args) {
      costs.push(this.cost(arg));
      args.push(this.#node(arg));
    }
    const overloadIds = this.#ast.references.get(expr.id)?.overloadIds ?? [];
    if (overloadIds.length === 0) return nothing;
    const targetCost = expr.target === undefined ? nothing : this.cost(expr.target);
    const target = expr.target === undefined ? undefined : this.#node(expr.target);
    let cost: Estimate = { min: unbounded, max: 0 };
    let resultSize: Estimate | undefined;
    for (const overloadId of overloadIds) {
      const call = this.#costOfOverload({ expr, overloadId, target, args, costs });
      cost = union(cost, call.cost);
      if (call.resultSize !== undefined) resultSize = resultSize === undefined ? call.resultSize : union(resultSize, call.resultSize);
      if (overloadId === 'index_list' || overloadId === 'index_map') resultSize = this.#followIndex(expr, overloadId);
      resultSize ??= this.#sizeOf(expr);
    }
    if (resultSize !== undefined) this.#sizes.set(expr.id, resultSize);
    return add(targetCost, cost);
  }

  /** dyn() only switches type checks off: the size of its argument is its own. */
  #costOfDyn(expr: CallExpr): Estimate {
    const [argument] = expr.args;
    if (argument === undefined) return nothing;
    const cost = this.cost(argument);
    this.#copySizes(expr, argument);
    return add(exactly(1), cost);
  }

  #followIndex(expr: CallExpr, overloadId: 'index_list' | 'index_map'): Estimate | undefined {
    const [container] = expr.args;
    if (container === undefined) return undefined;
    this.#paths.set(expr.id, [...this.#pathOf(container), overloadId === 'index_list' ? '@items' : '@values']);
    return this.#entrySizeOf(container)?.value;
  }

  #costOfOverload(call: OverloadCall): CallEstimate {
    const { expr, overloadId, target, args, costs } = call;
    const given = this.#estimators.call?.({ function: expr.function, overloadId, target, args, sizeOf: (node) => this.#estimatedSize(node) });
    if (given !== undefined) return withArguments(given, costs);
    switch (overloadId) {
      case 'logical_and':
      case 'logical_or':
        return { cost: { min: costs[0]?.min ?? 0, max: sum(costs).max } };
      case 'conditional':
        return this.#costOfConditional(call);
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        return this.#costOfConcatenation(call);
      default:
        return withArguments(defaultCallEstimate(overloadId, target, args) ?? { cost: exactly(1) }, costs);
    }
  }

  #costOfConditional({ expr, args: [, yes, no], costs: [condition = nothing, yesCost = nothing, noCost = nothing] }: OverloadCall): CallEstimate {
    this.#joinEntrySizes(expr, expr.args[1], expr.args[2]);
    return { cost: add(condition, union(yesCost, noCost)), resultSize: union(sizeOrUnknown(yes), sizeOrUnknown(no)) };
  }

  /** Joining lists takes no time; texts and bytes are copied. */
  #costOfConcatenation({ expr, overloadId, args: [left, right], costs }: OverloadCall): CallEstimate {
    const resultSize = add(sizeOrUnknown(left), sizeOrUnknown(right));
    this.#joinEntrySizes(expr, expr.args[0], expr.args[1]);
    return withArguments({ cost: overloadId === 'add_list' ? exactly(1) : scale(resultSize, traversalFactor), resultSize }, costs);
  }

  #costOfList(expr: ListExpr): Estimate {
    const elements = expr.elements.map((element) => ({ cost: this.cost(element), size: this.#sizeOf(element) ?? unknownSize }));
    this.#entrySizes.set(expr.id, { container: 'list', key: exactly(1), value: unionOfAll(elements.map(({ size }) => size)) });
    return add(sum(elements.map(({ cost }) => cost)), exactly(listCreateCost));
  }

  #costOfMap(expr: MapExpr): Estimate {
    const costs: Estimate[] = [];
    const keys: Estimate[] = [];
    const values: Estimate[] = [];
    for (const { key, value } of expr.entries) {
      costs.push(this.cost(key), this.cost(value));
      keys.push(this.#sizeOf(key) ?? unknownSize);
      values.push(this.#sizeOf(value) ?? unknownSize);
    }
    this.#entrySizes.set(expr.id, { container: 'map', key: unionOfAll(keys), value: unionOfAll(values) });
    return add(sum(costs), exactly(mapCreateCost));
  }

  #costOfComprehension(expr: ComprehensionExpr): Estimate {
    const before = add(this.cost(expr.range), this.cost(expr.accumulatorInit));
    this.#pushBinding(expr.accumulator, expr.accumulatorInit);
    this.#pushIteration(expr);
    const perElement = add(this.cost(expr.condition), this.cost(expr.step));
    this.#locals.get(expr.variable)?.pop();
    if (expr.variable2 !== undefined) this.#locals.get(expr.variable2)?.pop();
    const after = this.cost(expr.result);
    this.#locals.get(expr.accumulator)?.pop();
    const count = this.#sizeOf(expr.range) ?? unknownSize;
    this.#learnResultSize(expr, count);
    return add(add(before, after), multiply(count, perElement));
  }

  /** A result that starts as a list or map may grow by one entry with every element. */
  #learnResultSize(expr: ComprehensionExpr, count: Estimate): void {
    const init = expr.accumulatorInit;
    const size = init.kind === 'constant' ? this.#sizeOf(init) : init.kind === 'list' || init.kind === 'map' ? count : undefined;
    if (size !== undefined) this.#sizes.set(expr.id, size);
    const entrySize = init.kind === 'list' || init.kind === 'map' ? this.#entrySizeOf(expr.step) : undefined;
    if (entrySize !== undefined) this.#entrySizes.set(expr.id, entrySize);
  }

  #costOfBinding(expr: ComprehensionExpr): Estimate {
    const before = add(this.cost(expr.range), this.cost(expr.accumulatorInit));
    this.#pushBinding(expr.accumulator, expr.accumulatorInit);
    const result = this.cost(expr.result);
    this.#locals.get(expr.accumulator)?.pop();
    this.#copySizes(expr, expr.result);
    return add(before, result);
  }

  #pushBinding(name: string, value: Expr): void {
    this.#push(name, { path: this.#pathOf(value), size: this.#sizeOf(value), entrySize: this.#entrySizeOf(value) });
  }

  #pushIteration({ range, variable, variable2 }: ComprehensionExpr): void {
    const entrySize = this.#entrySizeOf(range);
    const overList = (entrySize?.container ?? this.#typeOf(range).kind) === 'list';
    const path = this.#pathOf(range);
    const value = { path: [...path, overList ? '@items' : '@values'], size: entrySize?.value, entrySize: undefined };
    const key = { path: [...path, overList ? '@indices' : '@keys'], size: entrySize?.key, entrySize: undefined };
    if (variable2 === undefined) this.#push(variable, overList ? value : key);
    else {
      this.#push(variable, key);
      this.#push(variable2, value);
    }
  }

  #push(name: string, variable: LocalVariable): void {
    const known = this.#locals.get(name);
    if (known === undefined) this.#locals.set(name, [variable]);
    else known.push(variable);
  }

  #local(name: string): LocalVariable | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #node(expr: Expr): CostNode {
    const path = this.#pathOf(expr);
    return { path: path.length === 0 || isAccumulator(path[0]) ? undefined : path, type: this.#typeOf(expr), expr, size: this.#sizeOf(expr) };
  }

  #typeOf(expr: Expr): Type {
    return this.#ast.types.get(expr.id) ?? dynType;
  }

  #pathOf(expr: Expr): readonly string[] {
    return (expr.kind === 'ident' ? this.#local(expr.name)?.path : undefined) ?? this.#paths.get(expr.id) ?? [];
  }

  #sizeOf(expr: Expr): Estimate | undefined {
    const known = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#pathOf(expr);
    const estimated = this.#estimators.size?.({ path: path.length === 0 ? undefined : path, type: this.#typeOf(expr), expr, size: undefined });
    if (estimated !== undefined) {
      this.#sizes.set(expr.id, estimated);
      return estimated;
    }
    if (isScalar(this.#typeOf(expr))) return exactly(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #estimatedSize(node: CostNode): Estimate {
    return node.size ?? this.#estimators.size?.(node) ?? unknownSize;
  }

  #entrySizeOf(expr: Expr): EntrySize | undefined {
    return this.#entrySizes.get(expr.id) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entrySize : undefined);
  }

  #joinEntrySizes(expr: Expr, left: Expr | undefined, right: Expr | undefined): void {
    const a = left === undefined ? undefined : this.#entrySizeOf(left);
    const b = right === undefined ? undefined : this.#entrySizeOf(right);
    if (a !== undefined && b !== undefined) this.#entrySizes.set(expr.id, { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) });
  }

  #copySizes(to: Expr, from: Expr): void {
    const size = this.#sizeOf(from);
    if (size !== undefined) this.#sizes.set(to.id, size);
    const entrySize = this.#entrySizeOf(from);
    if (entrySize !== undefined) this.#entrySizes.set(to.id, entrySize);
  }
}

interface OverloadCall {
  readonly expr: CallExpr;
  readonly overloadId: string;
  readonly target: CostNode | undefined;
  readonly args: readonly CostNode[];
  readonly costs: readonly Estimate[];
}

function withArguments(call: CallEstimate, costs: readonly Estimate[]): CallEstimate {
  return { ...call, cost: add(call.cost, sum(costs)) };
}

function sum(costs: readonly Estimate[]): Estimate {
  return costs.reduce(add, nothing);
}

/** Of none it is zero. */
function unionOfAll(sizes: readonly Estimate[]): Estimate {
  return sizes.length === 0 ? nothing : sizes.reduce(union);
}

/** A local variable (optMap, sortBy) is a comprehension over nothing that never steps. */
function isBinding({ range, condition, accumulator }: ComprehensionExpr): boolean {
  return range.kind === 'list' && range.elements.length === 0 && condition.kind === 'constant' && condition.value === false && accumulator !== '__result__';
}

function isAccumulator(name: string | undefined): boolean {
  return name === '@result' || name === '__result__';
}

function literalSize(expr: Expr): Estimate | undefined {
  switch (expr.kind) {
    case 'constant':
      return exactly(constantSize(expr.value));
    case 'list':
      return exactly(expr.elements.length);
    case 'map':
      return exactly(expr.entries.length);
    default:
      return undefined;
  }
}

function constantSize(value: unknown): number {
  if (typeof value === 'string') return codePointLength(value);
  return value instanceof Uint8Array ? value.length : 1;
}

const scalarKinds: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

/** Values of these types are all of one size. */
function isScalar(type: Type): boolean {
  const [wrapped] = type.params;
  if (type.kind === 'opaque' && type.name === 'optional_type' && wrapped !== undefined) return isScalar(wrapped);
  return scalarKinds.has(type.kind);
}

/** The checked tree to closures. Where cel-go's planner folds constants or joins members into attributes, so does this one: costs depend on it. */
import type { CallExpr, CheckedAst, ComprehensionExpr, Expr, IdentExpr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../ast.ts';
import type { Declarations } from '../check/declarations.ts';
import type { CallCosts } from '../library.ts';
import { celEquals } from '../standard/equality.ts';
import { CelError, type CelValue, type Result, TypeValue } from '../value.ts';
import { aggregateCosts, listPlan, mapPlan, structPlan } from './aggregate-plan.ts';
import { callPlan, mayWait } from './call-plan.ts';
import { defaultCost } from './default-cost.ts';
import { EvaluationState, type Evaluator } from './evaluation-state.ts';
import { appendPlan, bindingPlan, foldPlan, slotPlan } from './fold-plan.ts';
import { conditionalPlan, logicPlan, notStrictlyFalsePlan } from './logic-plan.ts';
import { membershipPlan } from './membership-plan.ts';
import { attempt, attributePlan, constantPlan, type Plan, PlanFailure, resolverOf } from './plan.ts';
import { invalidQualifier, isPresent, qualify, qualifyOptional } from './qualification.ts';

export interface Planned {
  readonly evaluate: Evaluator;
  readonly slotCount: number;
  readonly mayWait: boolean;
}

/** Throws PlanFailure when a constant part cannot be evaluated. */
export function planProgram(ast: CheckedAst, declarations: Declarations, costs: CallCosts | undefined): Planned {
  const planner = new Planner(ast, declarations, costs);
  const { evaluate } = planner.plan(ast.root);
  return { evaluate, slotCount: planner.slotCount, mayWait: planner.mayWait };
}

/** Conversions that are done when the program is built if their argument is constant. */
const conversionFunctions: ReadonlySet<string> = new Set(['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint']);

interface Local {
  readonly slot: number;
  /** How a variable that only names a value gets it. */
  readonly init: Evaluator | undefined;
}

class Planner {
  slotCount = 0;
  mayWait = false;
  readonly #ast: CheckedAst;
  readonly #declarations: Declarations;
  readonly #costs: CallCosts | undefined;
  #locals: ReadonlyMap<string, Local> = new Map();

  constructor(ast: CheckedAst, declarations: Declarations, costs: CallCosts | undefined) {
    this.#ast = ast;
    this.#declarations = declarations;
    this.#costs = costs;
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'constant':
        return constantPlan(expr.value);
      case 'ident':
        return this.#ident(expr);
      case 'select':
        return this.#select(expr);
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #ident({ id, name }: IdentExpr): Plan {
    const reference = this.#ast.references.get(id);
    if (reference?.value !== undefined) return constantPlan(reference.value);
    if (this.#ast.types.get(id)?.kind === 'type' && !this.#declarations.variables.has(name) && !this.#locals.has(name))
      return constantPlan(new TypeValue(name));
    const local = this.#locals.get(name);
    if (local !== undefined) return slotPlan(local.slot, local.init);
    const missing = new CelError(`no such attribute(s): ${name}`);
    return attributePlan((state) => {
      try {
        const value = state.activation.get(name);
        return value === undefined ? missing : value;
      } catch (error) {
        if (error instanceof CelError) return error;
        throw error;
      }
    }, false);
  }

  #select({ operand, field, testOnly }: SelectExpr): Plan {
    const plan = this.plan(operand);
    const read = resolverOf(plan);
    const conditional = plan.attribute?.conditional === true;
    if (!testOnly) return attributePlan((state) => qualify(state, read(state), field), conditional);
    const resolve: Evaluator = (state) => isPresent(state, read(state), field);
    // Presence tests cost one unit less than other attributes: cel-go's PresenceTestHasCost(false).
    const evaluate: Evaluator = conditional
      ? (state) => {
          state.cost -= 1;
          return resolve(state);
        }
      : resolve;
    return { evaluate, attribute: { resolve, conditional } };
  }

  #call(expr: CallExpr): Plan {
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    if (expr.function === '_+_' && this.#isAppend(expr)) return this.#append(expr);
    const args = operands.map((operand) => this.plan(operand));
    return this.#operator(expr, args) ?? this.#function(expr, args);
  }

  /** Operators the evaluator builds in. */
  #operator(expr: CallExpr, [first, second, third]: readonly Plan[]): Plan | undefined {
    if (first === undefined) return undefined;
    if (expr.function === '@not_strictly_false') return notStrictlyFalsePlan(first);
    if (second === undefined) return undefined;
    switch (expr.function) {
      case '_&&_':
        return logicPlan(first, second, false);
      case '_||_':
        return logicPlan(first, second, true);
      case '_?_:_':
        return third === undefined ? undefined : conditionalPlan(first, second, third);
      case '_==_':
        return this.#equality(first, second, true);
      case '_!=_':
        return this.#equality(first, second, false);
      case '_[_]':
        return indexPlan(first, second, qualify);
      case '_[?_]':
      case '_?._':
        return indexPlan(first, second, qualifyOptional);
      case '@in':
        return this.#overloadId(expr) === 'in_list' ? membershipPlan(first, second) : undefined;
      default:
        return undefined;
    }
  }

  #equality(first: Plan, second: Plan, wanted: boolean): Plan {
    const [name, id] = wanted ? ['_==_', 'equals'] : ['_!=_', 'not_equals'];
    const custom = this.#costs?.find(name, id);
    const standard = defaultCost(id);
    const a = first.evaluate;
    const b = second.evaluate;
    return {
      evaluate: (state) => {
        const x = a(state);
        const y = b(state);
        const left = x instanceof CelError ? null : x;
        const right = y instanceof CelError ? null : y;
        // Charged before, since values of libraries may refuse to be compared, and also when an operand has failed.
        state.cost += isScalar(left) && isScalar(right) ? 1 : (custom?.([left, right], null) ?? standard?.([left, right], null) ?? 1);
        if (x instanceof CelError) return x;
        if (y instanceof CelError) return y;
        const equal = attempt(() => celEquals(x, y));
        // What refuses to be compared is not equal, but nobody is told why.
        return wanted ? equal : equal !== true;
      },
    };
  }

  #overloadId(expr: CallExpr): string {
    const ids = this.#ast.references.get(expr.id)?.overloadIds ?? [];
    return ids.length === 1 ? (ids[0] ?? '') : '';
  }

  #function(expr: CallExpr, args: readonly Plan[]): Plan {
    const declaration = this.#declarations.functions.get(expr.function);
    if (declaration === undefined) throw new PlanFailure(`no such overload: ${expr.function}`);
    if (mayWait(declaration)) this.mayWait = true;
    const overloadId = this.#overloadId(expr);
    const overload = declaration.overloads.find((candidate) => candidate.id === overloadId);
    const custom = this.#costs?.find(expr.function, overloadId);
    const standard = defaultCost(overloadId);
    const cost = custom === undefined ? standard : (values: readonly CelValue[], result: CelValue) => custom(values, result) ?? standard?.(values, result);
    const upfront = overloadId === 'matches_string' || this.#costs?.isUpfront?.(overloadId) === true;
    const plan = callPlan({ declaration, member: expr.target !== undefined, overload, args, cost, upfront });
    const [first] = args;
    return args.length === 1 && first?.constant !== undefined && conversionFunctions.has(expr.function) ? folded(plan) : plan;
  }

  /** `@result + [x]` within the fold that accumulates it. */
  #isAppend({ args: [left, right] }: CallExpr): boolean {
    return left?.kind === 'ident' && left.name === '@result' && right?.kind === 'list' && right.elements.length === 1 && right.optionalIndices.length === 0;
  }

  #append({ args: [accumulator, list] }: CallExpr): Plan {
    const element = list?.kind === 'list' ? list.elements[0] : undefined;
    if (accumulator === undefined || element === undefined) throw new PlanFailure('no such overload: _+_');
    const plan = this.plan(element);
    return appendPlan(this.plan(accumulator), plan, 1 + (plan.constant === undefined ? aggregateCosts.list : 0));
  }

  #list(expr: ListExpr): Plan {
    const elements = expr.elements.map((element) => this.plan(element));
    const plan = listPlan(elements, expr.optionalIndices);
    return elements.every((element) => element.constant !== undefined) ? folded(plan) : plan;
  }

  #map(expr: MapExpr): Plan {
    const entries = expr.entries.map((entry) => ({ key: this.plan(entry.key), value: this.plan(entry.value), optional: entry.optional }));
    const plan = mapPlan(entries);
    return entries.every(({ key, value }) => key.constant !== undefined && value.constant !== undefined) ? folded(plan) : plan;
  }

  #struct(expr: StructExpr): Plan {
    const fields = expr.fields.map((field) => ({ name: field.field, value: this.plan(field.value), optional: field.optional }));
    const { types } = this.#declarations;
    if (types?.create === undefined) throw new PlanFailure(`unknown type: ${expr.typeName}`);
    return structPlan(fields, (values) => types.create?.(expr.typeName, values) ?? null);
  }

  #comprehension(expr: ComprehensionExpr): Plan {
    const init = this.plan(expr.accumulatorInit).evaluate;
    const range = this.plan(expr.range).evaluate;
    const outer = this.#locals;
    const accumulator = this.slotCount++;
    if (isBinding(expr)) {
      this.#locals = new Map([...outer, [expr.accumulator, { slot: accumulator, init }]]);
      const result = this.plan(expr.result).evaluate;
      this.#locals = outer;
      return bindingPlan(accumulator, result);
    }
    const around = new Map([...outer, [expr.accumulator, { slot: accumulator, init: undefined }]]);
    const variable = this.slotCount++;
    const variable2 = expr.variable2 === undefined ? undefined : this.slotCount++;
    const within = new Map([...around, [expr.variable, { slot: variable, init: undefined }]]);
    if (expr.variable2 !== undefined && variable2 !== undefined) within.set(expr.variable2, { slot: variable2, init: undefined });
    this.#locals = within;
    const condition = this.plan(expr.condition).evaluate;
    const step = this.plan(expr.step).evaluate;
    this.#locals = around;
    const result = this.plan(expr.result).evaluate;
    this.#locals = outer;
    return foldPlan({ nodeId: expr.id, range, init, condition, step, result, accumulator, variable, variable2 });
  }
}

/** cel.bind and optMap: a fold over an empty list that is never entered. */
function isBinding(expr: ComprehensionExpr): boolean {
  return expr.range.kind === 'list' && expr.range.elements.length === 0 && expr.condition.kind === 'constant' && expr.condition.value === false;
}

type Qualification = (state: EvaluationState, value: Result, key: Result) => Result;

function indexPlan(operand: Plan, index: Plan, qualification: Qualification): Plan {
  const invalid = index.constant && invalidQualifier(index.constant.value);
  if (invalid !== undefined) throw new PlanFailure(invalid.message);
  const read = resolverOf(operand);
  const key = resolverOf(index);
  return attributePlan((state) => {
    const value = read(state);
    return value instanceof CelError ? value : qualification(state, value, key(state));
  }, operand.attribute?.conditional === true);
}

/** A plan whose parts are constant, evaluated now. */
function folded(plan: Plan): Plan {
  const state = new EvaluationState({ get: () => undefined }, 0, Number.POSITIVE_INFINITY);
  const result = plan.evaluate(state);
  if (result instanceof CelError) throw new PlanFailure(result.message);
  return constantPlan(result);
}

/** Without a size: its cost in a comparison is one unit. */
function isScalar(value: CelValue): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'string');
}

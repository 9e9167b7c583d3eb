/** Calls: the overload is chosen when the program is built if the types decide it, by the arguments at run time otherwise. */
import type { ActualCost, AsyncBody, FunctionDeclaration, Overload } from '../library.ts';
import { CelError, type CelValue, typeNameOf } from '../value.ts';
import { type EvaluationState, type Evaluator, Suspension, valueOrError } from './evaluation-state.ts';
import { type Plan, PlanFailure } from './plan.ts';
import { guardFor, type TypeGuard } from './type-guard.ts';

export interface CallSite {
  readonly declaration: FunctionDeclaration;
  readonly member: boolean;
  /** The one overload the types decide on, if they do. */
  readonly overload: Overload | undefined;
  /** Receiver first. */
  readonly args: readonly Plan[];
  /** One unit when absent. */
  readonly cost: ActualCost | undefined;
  /** The cost is charged before the call: see CallCosts. */
  readonly upfront: boolean;
}

/** Applies a function to evaluated arguments. */
type Application = (state: EvaluationState, args: readonly CelValue[]) => CelValue;

export function callPlan(site: CallSite): Plan {
  const { overload } = site;
  if (overload?.callLazily !== undefined) return lazyPlan(overload, site.args);
  if (overload?.callAsync === undefined && overload?.call !== undefined) return directPlan(site, overload, overload.call);
  const apply = overload === undefined ? dispatched(site) : applicationOf(overload);
  const evaluators = site.args.map((arg) => arg.evaluate);
  const sequential = site.args.length > 2;
  return {
    evaluate: (state) => {
      const args = evaluatedArguments(state, site, evaluators, sequential);
      return charged(state, site, args, () => apply(state, args));
    },
  };
}

/** One overload, its body called straight: the common case, without arrays for one and two arguments that cost one unit. */
function directPlan(site: CallSite, overload: Overload, call: NonNullable<Overload['call']>): Plan {
  const body = preparedBody(overload, site.args) ?? call;
  const guards = guardsOf(overload);
  const refuse = (...args: CelValue[]): never => {
    throw new CelError(mismatchText(site.declaration, args));
  };
  const [first, second] = site.args.map((arg) => arg.evaluate);
  const [guard1, guard2] = guards;
  const { cost } = site;
  if (site.args.length === 1 && first !== undefined && !site.upfront) {
    return {
      evaluate: (state) => {
        const a = argumentOf(state, first, site, []);
        try {
          const result = guard1 !== undefined && !guard1(a) ? refuse(a) : body(a);
          state.charge(cost === undefined ? 1 : (cost([a], result) ?? 1));
          return result;
        } catch (error) {
          return chargeFailure(state, cost, [a], error);
        }
      },
    };
  }
  if (site.args.length === 2 && first !== undefined && second !== undefined && !site.upfront && body === call) {
    return {
      evaluate: (state) => {
        let a: CelValue;
        try {
          a = first(state);
        } catch (error) {
          return failedFirst(state, site, second, error);
        }
        const b = argumentOf(state, second, site, [a]);
        try {
          const result = (guard1 !== undefined && !guard1(a)) || (guard2 !== undefined && !guard2(b)) ? refuse(a, b) : body(a, b);
          state.charge(cost === undefined ? 1 : (cost([a, b], result) ?? 1));
          return result;
        } catch (error) {
          return chargeFailure(state, cost, [a, b], error);
        }
      },
    };
  }
  const evaluators = site.args.map((arg) => arg.evaluate);
  // cel-go calls a function with a compiled pattern as one of many arguments.
  const sequential = site.args.length > 2 || body !== call;
  return {
    evaluate: (state) => {
      const args = evaluatedArguments(state, site, evaluators, sequential);
      const taken = guards.every((guard, index) => guard === undefined || guard(args[index] ?? null));
      return charged(state, site, args, () => (taken ? body(...args) : refuse(...args)));
    },
  };
}

/** The arguments of a call. With one or two, a failed one does not keep the other from being evaluated; with more, the first failure ends it. */
function evaluatedArguments(state: EvaluationState, site: CallSite, evaluators: readonly Evaluator[], sequential: boolean): readonly CelValue[] {
  const [first, second] = evaluators;
  const args: CelValue[] = [];
  if (!sequential && first !== undefined && second !== undefined) {
    try {
      args.push(first(state));
    } catch (error) {
      return failedFirst(state, site, second, error);
    }
    args.push(argumentOf(state, second, site, args));
    return args;
  }
  for (const evaluate of evaluators) args.push(argumentOf(state, evaluate, site, args));
  return args;
}

/** One argument after those evaluated before. A call that fails with its last argument is charged for. */
function argumentOf(state: EvaluationState, evaluate: Evaluator, site: CallSite, before: readonly CelValue[]): CelValue {
  try {
    return evaluate(state);
  } catch (error) {
    if (before.length < site.args.length - 1) throw error;
    return chargeFailure(state, site.cost, [...before, null], error);
  }
}

/** The first of two arguments failed: the second is evaluated and the call charged for, as cel-go's tracker sees it. */
function failedFirst(state: EvaluationState, site: CallSite, second: Evaluator, error: unknown): never {
  if (!(error instanceof CelError)) throw error;
  const value = valueOrError(second, state);
  return chargeFailure(state, site.cost, [null, value instanceof CelError ? null : value], error);
}

/** A call with what it costs. */
function charged(state: EvaluationState, { cost, upfront }: CallSite, args: readonly CelValue[], call: () => CelValue): CelValue {
  if (upfront) {
    state.charge(cost?.(args, null) ?? 1);
    return call();
  }
  try {
    const result = call();
    state.charge(cost?.(args, result) ?? 1);
    return result;
  } catch (error) {
    return chargeFailure(state, cost, args, error);
  }
}

/** A call that fails costs what it would have cost: cel-go's tracker sees an error as a result of size one. */
function chargeFailure(state: EvaluationState, cost: ActualCost | undefined, args: readonly CelValue[], error: unknown): never {
  if (error instanceof CelError) state.cost += cost?.(args, null) ?? 1;
  throw error;
}

function preparedBody(overload: Overload, args: readonly Plan[]): ((...args: CelValue[]) => CelValue) | undefined {
  if (overload.prepare === undefined || !args.some((arg) => arg.constant !== undefined)) return undefined;
  try {
    const prepared = overload.prepare(args.map((arg) => arg.constant?.value));
    return prepared === undefined ? undefined : (...values) => prepared.call(...values);
  } catch (error) {
    if (error instanceof CelError) throw new PlanFailure(error.message);
    throw error;
  }
}

/** Functions that evaluate their arguments themselves have no cost of their own: cel-go's `or` and `orValue`. */
function lazyPlan(overload: Overload, args: readonly Plan[]): Plan {
  return { evaluate: (state) => overload.callLazily?.(...args.map((arg) => () => arg.evaluate(state))) ?? null };
}

/** The first overload whose declared types take the arguments. */
function dispatched(site: CallSite): Application {
  const candidates = site.declaration.overloads
    .filter((overload) => overload.member === site.member && overload.args.length === site.args.length)
    .map((overload) => ({ guards: guardsOf(overload), apply: applicationOf(overload) }));
  return (state, args) => {
    for (const { guards, apply } of candidates) {
      if (guards.every((guard, index) => guard === undefined || guard(args[index] ?? null))) return apply(state, args);
    }
    throw new CelError(mismatchText(site.declaration, args));
  };
}

function guardsOf({ args, unguarded }: Overload): readonly (TypeGuard | undefined)[] {
  return unguarded === true ? [] : args.map(guardFor);
}

function applicationOf(overload: Overload): Application {
  const { callAsync } = overload;
  if (callAsync !== undefined) return (state, args) => awaited(state, overload.id, callAsync, args);
  if (overload.callLazily !== undefined) return (_state, args) => overload.callLazily?.(...args.map((arg) => () => arg)) ?? null;
  return (_state, args) => overload.call?.(...args) ?? null;
}

/** The remembered answer, or the run is abandoned until it is there. */
function awaited(state: EvaluationState, id: string, body: AsyncBody, args: readonly CelValue[]): CelValue {
  const key = `${id}\n${body.key(...args)}`;
  const known = state.settled.get(key);
  if (known instanceof CelError) throw known;
  if (known !== undefined) return known;
  const answer = body.start(...args).then(
    (value) => {
      state.settled.set(key, value);
    },
    (error: unknown) => {
      if (!(error instanceof CelError)) throw error;
      state.settled.set(key, error);
    },
  );
  throw new Suspension(answer);
}

function mismatchText(declaration: FunctionDeclaration, args: readonly CelValue[]): string {
  return declaration.mismatch?.(args) ?? `no such overload: ${declaration.name}(${args.map(typeNameOf).join(', ')})`;
}

/** Evaluators of calls that may have to wait. */
export function mayWait(declaration: FunctionDeclaration): boolean {
  return declaration.overloads.some((overload) => overload.callAsync !== undefined);
}

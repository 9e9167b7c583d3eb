/** Calls: the overload is chosen when the program is built if the types decide it, by the arguments at run time otherwise. */
import type { ActualCost, AsyncBody, FunctionDeclaration, Overload } from '../library.ts';
import { CelError, type CelValue, type Result, typeNameOf } from '../value.ts';
import { type EvaluationState, Suspension } from './evaluation-state.ts';
import { attempt, type Plan, PlanFailure } from './plan.ts';
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
type Application = (state: EvaluationState, args: readonly CelValue[]) => Result;

export function callPlan(site: CallSite): Plan {
  const { overload } = site;
  if (overload?.callLazily !== undefined) return lazyPlan(overload, site.args);
  if (overload?.callAsync === undefined && overload?.call !== undefined) return directPlan(site, overload, overload.call);
  const apply = overload === undefined ? dispatched(site) : applicationOf(overload);
  return appliedPlan(site, apply, site.args.length > 2);
}

/** One overload, its body called straight: the common case, without arrays for one and two arguments that cost one unit. */
function directPlan(site: CallSite, overload: Overload, call: NonNullable<Overload['call']>): Plan {
  const body = preparedBody(overload, site.args) ?? call;
  const guards = guardsOf(overload);
  const [first, second] = site.args.map((arg) => arg.evaluate);
  const [guard1, guard2] = guards;
  if (site.upfront || body !== call || first === undefined || site.args.length > 2) {
    // cel-go calls a function with a compiled pattern as one of many arguments.
    return appliedPlan(site, (_state, args) => guarded(site, guards, args, () => body(...args)), site.args.length > 2 || body !== call);
  }
  if (second === undefined) {
    return {
      evaluate: (state) => {
        const a = first(state);
        if (a instanceof CelError) return failed(state, site, [null], a);
        try {
          const result = guard1 !== undefined && !guard1(a) ? mismatch(site, [a]) : body(a);
          return site.cost === undefined ? chargedOne(state, result) : charged(state, site, result, [a]);
        } catch (error) {
          return thrown(state, site, [a], error);
        }
      },
    };
  }
  return {
    evaluate: (state) => {
      const a = first(state);
      const b = second(state);
      if (a instanceof CelError) return failed(state, site, [null, b instanceof CelError ? null : b], a);
      if (b instanceof CelError) return failed(state, site, [a, null], b);
      try {
        const result = (guard1 !== undefined && !guard1(a)) || (guard2 !== undefined && !guard2(b)) ? mismatch(site, [a, b]) : body(a, b);
        return site.cost === undefined ? chargedOne(state, result) : charged(state, site, result, [a, b]);
      } catch (error) {
        return thrown(state, site, [a, b], error);
      }
    },
  };
}

/** Any number of arguments. With one or two, a failed one does not keep the other from being evaluated; when `sequential`, the first failure ends it. */
function appliedPlan(site: CallSite, apply: Application, sequential: boolean): Plan {
  const evaluators = site.args.map((arg) => arg.evaluate);
  return {
    evaluate: (state) => {
      const args: CelValue[] = [];
      let failure: CelError | undefined;
      for (const evaluate of evaluators) {
        const value = evaluate(state);
        if (!(value instanceof CelError)) args.push(value);
        else {
          failure ??= value;
          args.push(null);
          if (sequential) break;
        }
      }
      // cel-go's tracker charges for a call when it has seen all of its arguments.
      if (failure !== undefined) return args.length === evaluators.length ? failed(state, site, args, failure) : failure;
      if (site.upfront) state.charge(site.cost?.(args, null) ?? 1);
      const result = attempt(() => apply(state, args));
      return site.upfront ? result : charged(state, site, result, args);
    },
  };
}

function guarded(site: CallSite, guards: readonly (TypeGuard | undefined)[], args: readonly CelValue[], body: () => Result): Result {
  return guards.every((guard, index) => guard === undefined || guard(args[index] ?? null)) ? body() : mismatch(site, args);
}

/** The result, after what the call costs. An error counts as a result of size one. */
function charged(state: EvaluationState, { cost }: CallSite, result: Result, args: readonly CelValue[]): Result {
  state.charge(cost === undefined ? 1 : (cost(args, result instanceof CelError ? null : result) ?? 1));
  return result;
}

function chargedOne(state: EvaluationState, result: Result): Result {
  state.charge(1);
  return result;
}

/** A call that was not made, since an argument failed, costs what it would have cost. */
function failed(state: EvaluationState, { cost }: CallSite, args: readonly CelValue[], error: CelError): CelError {
  state.charge(cost?.(args, null) ?? 1);
  return error;
}

function thrown(state: EvaluationState, site: CallSite, args: readonly CelValue[], error: unknown): CelError {
  if (!(error instanceof CelError)) throw error;
  return failed(state, site, args, error);
}

function preparedBody(overload: Overload, args: readonly Plan[]): ((...args: CelValue[]) => Result) | undefined {
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
  return { evaluate: (state) => attempt(() => overload.callLazily?.(...args.map((arg) => () => arg.evaluate(state))) ?? null) };
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
    return mismatch(site, args);
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
function awaited(state: EvaluationState, id: string, body: AsyncBody, args: readonly CelValue[]): Result {
  const key = `${id}\n${body.key(...args)}`;
  const known = state.settled.get(key);
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

function mismatch({ declaration }: CallSite, args: readonly CelValue[]): CelError {
  return new CelError(declaration.mismatch?.(args) ?? `no such overload: ${declaration.name}(${args.map(typeNameOf).join(', ')})`);
}

/** Evaluators of calls that may have to wait. */
export function mayWait(declaration: FunctionDeclaration): boolean {
  return declaration.overloads.some((overload) => overload.callAsync !== undefined);
}

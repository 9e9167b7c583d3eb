/** A program: the closures of an expression and the two ways to run them. */
import { nextTurn } from '#base/next-turn.ts';
import type { CheckedAst } from '../ast.ts';
import { type Activation, costLimitExceeded, type EvaluationOptions, type Outcome } from '../evaluation.ts';
import { dynType, type Type } from '../type.ts';
import { CelError } from '../value.ts';
import { CostLimitExceeded, EvaluationState, Suspension } from './evaluation-state.ts';
import type { Planned } from './planner.ts';

export interface Program {
  readonly ast: CheckedAst;
  readonly outputType: Type;
  /** Some call on the way may suspend (callAsync): `evaluate` must not be used. */
  readonly mayWait: boolean;
  /** Runs to the end in this turn: for programs of small estimated cost. */
  evaluate(activation: Activation, options?: EvaluationOptions): Outcome;
  /** Runs in slices, giving the event loop its turn, and waits for what is not known in turn. */
  evaluateInSlices(activation: Activation, options?: EvaluationOptions): Promise<Outcome>;
}

const defaultSliceMillis = 5;

export function programOf(ast: CheckedAst, planned: Planned): Program {
  return {
    ast,
    outputType: ast.types.get(ast.root.id) ?? dynType,
    mayWait: planned.mayWait,
    evaluate: (activation, options = {}) => evaluate(planned, activation, options),
    evaluateInSlices: (activation, options = {}) => evaluateInSlices(planned, activation, options),
  };
}

function evaluate(planned: Planned, activation: Activation, options: EvaluationOptions): Outcome {
  const state = new EvaluationState(activation, planned.slotCount, options.costLimit ?? Number.POSITIVE_INFINITY);
  const outcome = attempt(planned, state);
  if (outcome instanceof Suspension) throw new TypeError('an expression that waits must be evaluated in slices');
  return outcome;
}

async function evaluateInSlices(planned: Planned, activation: Activation, options: EvaluationOptions): Promise<Outcome> {
  const now = options.now ?? (() => performance.now());
  const slice = options.sliceMillis ?? defaultSliceMillis;
  let deadline = now() + slice;
  const mayStop = (): boolean => now() >= deadline || options.signal?.aborted === true;
  const state = new EvaluationState(activation, planned.slotCount, options.costLimit ?? Number.POSITIVE_INFINITY, mayStop);
  for (;;) {
    if (options.signal?.aborted === true) return { status: 'error', message: 'operation interrupted', cost: state.cost, reason: 'cancelled' };
    const outcome = attempt(planned, state);
    if (!(outcome instanceof Suspension)) return outcome;
    await (outcome.until ?? nextTurn());
    deadline = now() + slice;
    state.cost = 0;
  }
}

/** One run to its end, or to where it must stop for a while. */
function attempt(planned: Planned, state: EvaluationState): Outcome | Suspension {
  const root = state.checkpoint;
  try {
    const result = planned.evaluate(state);
    if (state.cost > state.costLimit) return overLimit(state);
    if (result instanceof CelError) return { status: 'error', message: result.message, cost: state.cost, reason: 'error' };
    return { status: 'value', value: result, cost: state.cost };
  } catch (error) {
    state.checkpoint = root;
    if (error instanceof Suspension) return error;
    if (error instanceof CostLimitExceeded) return overLimit(state);
    throw error;
  }
}

function overLimit(state: EvaluationState): Outcome {
  return { status: 'error', message: costLimitExceeded, cost: state.cost, reason: 'costLimit' };
}

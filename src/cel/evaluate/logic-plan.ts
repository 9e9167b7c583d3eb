/** `&&`, `||`, `!strictly false` and the conditional: what may absorb an error. */
import { CelError, type CelValue } from '../value.ts';
import type { EvaluationState, Evaluator } from './evaluation-state.ts';
import { attributePlan, type Plan, resolverOf } from './plan.ts';

/** `decisive` is the operand that decides alone: false for `&&`, true for `||`. The other operand is asked even when the first failed. */
export function logicPlan(left: Plan, right: Plan, decisive: boolean): Plan {
  const first = left.evaluate;
  const second = right.evaluate;
  return {
    evaluate: (state) => {
      const a = boolOrError(first, state);
      if (a === decisive) return decisive;
      const b = boolOrError(second, state);
      if (b === decisive) return decisive;
      if (a instanceof CelError) throw a;
      if (b instanceof CelError) throw b;
      return !decisive;
    },
  };
}

/** The condition of a fold over `&&` or `||`: an error does not end it. */
export function notStrictlyFalsePlan(operand: Plan): Plan {
  const { evaluate } = operand;
  return {
    evaluate: (state) => {
      state.cost += 1;
      const value = boolOrError(evaluate, state);
      return value instanceof CelError || value;
    },
  };
}

export function conditionalPlan(condition: Plan, yes: Plan, no: Plan): Plan {
  const test = condition.evaluate;
  const whenTrue = resolverOf(yes);
  const whenFalse = resolverOf(no);
  return attributePlan((state) => {
    const value = test(state);
    if (value === true) return whenTrue(state);
    if (value === false) return whenFalse(state);
    throw new CelError('no such overload');
  }, true);
}

function boolOrError(evaluate: Evaluator, state: EvaluationState): boolean | CelError {
  try {
    const value: CelValue = evaluate(state);
    return typeof value === 'boolean' ? value : new CelError('no such overload');
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

/** `&&`, `||`, `!strictly false` and the conditional: what may absorb an error. */
import { CelError, type Result } from '../value.ts';
import { attributePlan, type Plan, resolverOf } from './plan.ts';

const noSuchOverload = new CelError('no such overload');

/** `decisive` is the operand that decides alone: false for `&&`, true for `||`. The other operand is asked even when the first failed. */
export function logicPlan(left: Plan, right: Plan, decisive: boolean): Plan {
  const first = left.evaluate;
  const second = right.evaluate;
  return {
    evaluate: (state) => {
      const a = first(state);
      if (a === decisive) return decisive;
      const b = second(state);
      if (b === decisive) return decisive;
      if (typeof a !== 'boolean') return errorOf(a);
      return typeof b === 'boolean' ? !decisive : errorOf(b);
    },
  };
}

/** The condition of a fold over `&&` or `||`: an error does not end it. */
export function notStrictlyFalsePlan(operand: Plan): Plan {
  const { evaluate } = operand;
  return {
    evaluate: (state) => {
      state.cost += 1;
      return evaluate(state) !== false;
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
    return value === false ? whenFalse(state) : errorOf(value);
  }, true);
}

/** An operand that is no bool: its own error, or that it does not fit. */
function errorOf(result: Result): CelError {
  return result instanceof CelError ? result : noSuchOverload;
}

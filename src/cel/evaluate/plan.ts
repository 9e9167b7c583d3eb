/** What a node becomes: a closure, with what its neighbours may build on. */
import { CelError, type CelValue, type Result } from '../value.ts';
import type { Evaluator } from './evaluation-state.ts';

export interface Plan {
  readonly evaluate: Evaluator;
  /** The value when it is known before any run. */
  readonly constant?: { readonly value: CelValue };
  /** Variables, members of them and conditionals: cel-go's attributes. Their resolution costs one unit less than their evaluation. */
  readonly attribute?: Attribute;
}

export interface Attribute {
  readonly resolve: Evaluator;
  /** `c ? a : b` and its members: evaluation has no cost of its own. */
  readonly conditional: boolean;
}

/** A program cannot be built: a constant that cannot be converted or compiled. */
export class PlanFailure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export function constantPlan(value: CelValue): Plan {
  return { evaluate: () => value, constant: { value } };
}

export function attributePlan(resolve: Evaluator, conditional: boolean): Plan {
  const evaluate: Evaluator = conditional
    ? resolve
    : (state) => {
        state.cost += 1;
        return resolve(state);
      };
  return { evaluate, attribute: { resolve, conditional } };
}

/** What a member is read from: the attribute without its own cost, or any value. */
export function resolverOf(plan: Plan): Evaluator {
  return plan.attribute?.resolve ?? plan.evaluate;
}

/** What a body comes to, whether it returns its error or throws it. */
export function attempt(body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

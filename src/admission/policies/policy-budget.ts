// What all expressions of a policy may cost together for one request.
import { perCallLimit, runtimeBudget } from '#cel/cost/limits.ts';
import type { Program } from '#cel/evaluate/program.ts';
import type { Activation, Outcome } from '#cel/evaluation.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

export const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

export class PolicyBudget {
  #left = runtimeBudget;

  get isSpent(): boolean {
    return this.#left < 0;
  }

  charge(cost: number): void {
    this.#left -= cost;
  }

  /** Waits only for programs that ask the authorizer, or may run long. */
  run(program: Program, activation: Activation): MaybePromise<Outcome> {
    const limits = { costLimit: perCallLimit, now: () => performance.now() };
    if (program.mayWait) return program.evaluateInSlices(activation, limits).then((outcome) => this.#charged(outcome));
    return this.#charged(program.evaluate(activation, limits));
  }

  #charged(outcome: Outcome): Outcome {
    this.charge(outcome.cost);
    return outcome;
  }
}

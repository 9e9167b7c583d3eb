// What all expressions of a policy may cost together for one request.
import { perCallLimit, runtimeBudget } from '#cel/cost/limits.ts';
import type { Program } from '#cel/evaluate/program.ts';
import type { Activation, Outcome } from '#cel/evaluation.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

export class PolicyBudget {
  #left = runtimeBudget;

  get isSpent(): boolean {
    return this.#left < 0;
  }

  renew(): void {
    this.#left = runtimeBudget;
  }

  /** Waits only for programs that ask the authorizer, or may run long. */
  run(program: Program, activation: Activation): MaybePromise<Outcome> {
    const limits = { costLimit: perCallLimit, now: () => performance.now() };
    if (program.mayWait) return program.evaluateInSlices(activation, limits).then((outcome) => this.#charged(outcome));
    return this.#charged(program.evaluate(activation, limits));
  }

  #charged(outcome: Outcome): Outcome {
    this.#left -= outcome.cost;
    return outcome;
  }
}

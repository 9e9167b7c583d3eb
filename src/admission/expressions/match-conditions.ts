// Match conditions: expressions that all must be true for a webhook or policy to be asked at all.
import { type AdmissionCompilation, AdmissionCompiler } from '#cel/admission-environment.ts';
import { matchConditionsBudget, outOfBudget, perCallLimit } from '#cel/cost/limits.ts';
import type { Activation, Outcome } from '#cel/evaluation.ts';
import { boolType } from '#cel/type.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** `failed`: no condition was false, but some could not be told; the failure policy decides. */
export type MatchVerdict = Verdict & {
  /** How many conditions could not be told. */
  readonly problems: number;
};

type Verdict = { readonly is: 'match' } | { readonly is: 'mismatch'; readonly condition: string } | { readonly is: 'failed'; readonly why: string };

/** Conditions of what has this name are evaluated; the returned function hears the verdict. */
export type ConditionsObserver = (name: string, kind: 'webhook' | 'policy', type: string, operation: string) => (verdict: MatchVerdict) => void;

export type MatchConditions = (activation: Activation) => MaybePromise<MatchVerdict>;

export const match: MatchVerdict = { is: 'match', problems: 0 };

/** Compiled once per configuration, which has some. `hasParams`: the conditions of a policy with parameters. */
export function compileMatchConditions(conditions: readonly MatchCondition[], hasParams = false): MatchConditions {
  const compiler = new AdmissionCompiler({ composed: false });
  const compiled = conditions.map(({ name, expression }) => ({
    name,
    expression,
    compilation: compiler.compile(expression, [boolType], { params: hasParams, authorizer: true }, 'stored'),
  }));
  return (activation) => new Evaluation(compiled, activation).run();
}

interface NamedCompilation {
  readonly name: string;
  readonly expression: string;
  readonly compilation: AdmissionCompilation;
}

/** One false condition decides, whatever became of those before it. */
class Evaluation {
  readonly #conditions: readonly NamedCompilation[];
  readonly #activation: Activation;
  readonly #problems: string[] = [];
  #budget = matchConditionsBudget;

  constructor(conditions: readonly NamedCompilation[], activation: Activation) {
    this.#conditions = conditions;
    this.#activation = activation;
  }

  run(first = 0): MaybePromise<MatchVerdict> {
    for (let index = first; index < this.#conditions.length; index++) {
      const condition = this.#conditions[index] as NamedCompilation;
      const { program, error } = condition.compilation;
      if (program === undefined) {
        this.#problems.push(`compilation error: ${error}`);
        continue;
      }
      if (program.mayWait) {
        const limits = { costLimit: perCallLimit, now: () => performance.now() };
        return program.evaluateInSlices(this.#activation, limits).then((outcome) => this.#settle(condition, outcome) ?? this.run(index + 1));
      }
      const verdict = this.#settle(condition, program.evaluate(this.#activation, { costLimit: perCallLimit }));
      if (verdict !== undefined) return verdict;
    }
    return this.#problems.length === 0 ? match : { is: 'failed', why: aggregate(this.#problems), problems: this.#problems.length };
  }

  #settle({ name, expression }: NamedCompilation, outcome: Outcome): MatchVerdict | undefined {
    this.#budget -= outcome.cost;
    if (this.#budget < 0) return { is: 'failed', why: outOfBudget, problems: 0 };
    if (outcome.status === 'error') this.#problems.push(`expression '${expression}' resulted in error: ${outcome.message}`);
    else if (outcome.value !== true) return { is: 'mismatch', condition: name, problems: this.#problems.length };
    return undefined;
  }
}

/** As upstream prints several errors. */
function aggregate(problems: readonly string[]): string {
  const distinct = [...new Set(problems)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

// `variables` of a policy: evaluated when an expression names them, once per request and parameter.
import { admissionActivation, type AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import type { PolicyBudget } from '#admission/policies/policy-budget.ts';
import type { AdmissionCompilation } from '#cel/admission-environment.ts';
import type { Activation, Outcome } from '#cel/evaluation.ts';
import { CelError, type CelMap, type CelValue } from '#cel/value.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

export interface CompiledVariable {
  readonly name: string;
  readonly compilation: AdmissionCompilation;
}

/** The variables of all expressions of a policy for one request and one parameter. */
export function policyActivation(facts: AdmissionFacts, variables: readonly CompiledVariable[], budget: PolicyBudget): MaybePromise<Activation> {
  const values = new VariableValues(variables, budget);
  const activation = admissionActivation(facts, values);
  values.activation = activation;
  const waits = variables.filter(({ compilation }) => compilation.program?.mayWait);
  if (waits.length === 0) return activation;
  return values.prepare(variables).then(() => activation);
}

class VariableValues implements CelMap {
  readonly kind = 'map';
  readonly typeName = 'kubernetes.variables';
  readonly #variables: ReadonlyMap<string, AdmissionCompilation>;
  readonly #budget: PolicyBudget;
  readonly #known = new Map<string, Outcome>();
  activation: Activation = { get: () => undefined };

  constructor(variables: readonly CompiledVariable[], budget: PolicyBudget) {
    this.#variables = new Map(variables.map(({ name, compilation }) => [name, compilation]));
    this.#budget = budget;
  }

  size(): number {
    return this.#variables.size;
  }

  keys(): Iterable<CelValue> {
    return this.#variables.keys();
  }

  has(key: CelValue): boolean {
    return this.#variables.has(key as string);
  }

  get(key: CelValue): CelValue | undefined {
    const name = key as string;
    const compilation = this.#variables.get(name);
    if (compilation === undefined) return undefined;
    const outcome = this.#known.get(name) ?? this.#evaluate(name, compilation);
    if (outcome.status === 'error') throw new CelError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${outcome.message}`);
    return outcome.value;
  }

  #evaluate(name: string, { program, error }: AdmissionCompilation): Outcome {
    if (program === undefined) return this.#remember(name, failed(`composited variable ${JSON.stringify(name)} fails to compile: ${error}`));
    // A variable that names itself, by way of others, finds this answer.
    this.#known.set(name, failed(`variable ${JSON.stringify(name)} is defined by itself`));
    return this.#remember(name, this.#budget.run(program, this.activation) as Outcome);
  }

  #remember(name: string, outcome: Outcome): Outcome {
    this.#known.set(name, outcome);
    return outcome;
  }

  /** Where one of them waits for the authorizer, all are made before they are asked for: later ones may name earlier ones. */
  async prepare(variables: readonly CompiledVariable[]): Promise<void> {
    for (const { name, compilation } of variables) {
      const { program } = compilation;
      if (program !== undefined) this.#remember(name, await this.#budget.run(program, this.activation));
    }
  }
}

function failed(message: string): Outcome {
  return { status: 'error', message, cost: 0, reason: 'error' };
}

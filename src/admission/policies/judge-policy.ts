// One policy, one binding, one parameter, one request: which validations deny it, and what its audit annotations say.
import { andThen } from '#base/and-then.ts';
import { eachInOrder } from '#base/each-in-order.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { withoutTrailing } from '#base/without-trailing.ts';
import { type AdmissionFacts, conditionsActivation } from '#admission/expressions/admission-activation.ts';
import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from '#admission/policies/compiled-policy.ts';
import { outOfBudget, PolicyBudget } from '#admission/policies/policy-budget.ts';
import { policyActivation } from '#admission/policies/policy-variables.ts';
import { maximumMessageBytes } from '#cel/cost/limits.ts';
import type { AdmissionCompilation } from '#cel/admission-environment.ts';
import type { Activation } from '#cel/evaluation.ts';

export interface Denial {
  readonly message: string;
  /** `Invalid` unless the validation says otherwise; what could not be evaluated has none. */
  readonly reason: string;
  /** Which validation; undefined for what is none of them. */
  readonly index: number;
}

export interface Judgement {
  readonly denials: readonly Denial[];
  /** Keys without the policy's name. */
  readonly annotations: ReadonlyMap<string, string>;
}

const nothing: Judgement = { denials: [], annotations: new Map() };

/** `failClosed`: what cannot be evaluated denies. Waits only for expressions that ask the authorizer or run long. */
export function judgePolicy(policy: CompiledPolicy, facts: AdmissionFacts, failClosed: boolean): MaybePromise<Judgement> {
  return andThen(policy.conditions(conditionsActivation(facts)), (matched): MaybePromise<Judgement> => {
    if (matched.is === 'mismatch') return nothing;
    if (matched.is === 'failed') return failClosed ? { ...nothing, denials: [{ message: matched.why, reason: '', index: 0 }] } : nothing;
    const budget = new PolicyBudget();
    return andThen(policyActivation(facts, policy.variables, budget), (activation) => {
      const judge = new Judge(activation, budget, failClosed);
      const validating = eachInOrder(policy.validations, (validation, index) => judge.validation(validation, index));
      const annotating = andThen(validating, () => eachInOrder(policy.annotations, (annotation) => judge.annotation(annotation)));
      return andThen(annotating, () => ({ denials: judge.denials, annotations: judge.annotations }));
    });
  });
}

const maxAnnotationBytes = 10 * 1024;

interface Evaluated {
  readonly value?: unknown;
  readonly problem?: string;
}

class Judge {
  readonly denials: Denial[] = [];
  readonly annotations = new Map<string, string>();
  readonly #activation: Activation;
  readonly #budget: PolicyBudget;
  readonly #failClosed: boolean;

  constructor(activation: Activation, budget: PolicyBudget, failClosed: boolean) {
    this.#activation = activation;
    this.#budget = budget;
    this.#failClosed = failClosed;
  }

  validation({ source, rule, message }: CompiledValidation, index: number): MaybePromise<void> {
    return andThen(this.#evaluate(rule, source.expression), ({ value, problem }) => {
      if (problem !== undefined) return this.#failed(problem, index);
      return value === true ? undefined : this.#deny(source, message, index);
    });
  }

  annotation({ source, value: compiled }: CompiledAnnotation): MaybePromise<void> {
    return andThen(this.#evaluate(compiled, source.valueExpression.trim()), ({ value, problem }) => {
      if (problem !== undefined) return this.#failed(problem, 0);
      const text = typeof value === 'string' ? value.trim() : '';
      if (text !== '') this.annotations.set(source.key, cut(text, maxAnnotationBytes));
    });
  }

  #deny(source: CompiledValidation['source'], message: AdmissionCompilation | undefined, index: number): MaybePromise<void> {
    return andThen(this.#messageOf(message, source.messageExpression ?? ''), (made) => {
      if (this.#budget.isSpent) return this.#failed(outOfBudget, index);
      const text = made || source.message?.trim() || `failed expression: ${source.expression.trim()}`;
      this.denials.push({ message: text, reason: source.reason ?? 'Invalid', index });
    });
  }

  #evaluate(compiled: AdmissionCompilation, expression: string): MaybePromise<Evaluated> {
    if (this.#budget.isSpent) return { problem: outOfBudget };
    if (compiled.program === undefined) return { problem: `compilation error: ${compiled.error}` };
    return andThen(this.#budget.run(compiled.program, this.#activation), (outcome): Evaluated => {
      if (this.#budget.isSpent) return { problem: outOfBudget };
      if (outcome.status === 'error') return { problem: `expression '${expression}' resulted in error: ${outcome.message}` };
      return { value: outcome.value };
    });
  }

  /** Empty when the expression fails or says nothing fit to show. */
  #messageOf(compiled: AdmissionCompilation | undefined, expression: string): MaybePromise<string> {
    if (compiled === undefined) return '';
    return andThen(this.#evaluate(compiled, expression), ({ value }) => {
      const text = typeof value === 'string' ? value.trim() : '';
      return text.includes('\n') || Buffer.byteLength(text) > maximumMessageBytes ? '' : text;
    });
  }

  #failed(message: string, index: number): void {
    if (this.#failClosed) this.denials.push({ message, reason: '', index });
  }
}

/** To so many bytes, never within a character. */
function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  return withoutTrailing(new TextDecoder().decode(whole.subarray(0, bytes)), '\ufffd');
}

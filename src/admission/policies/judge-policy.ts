// One policy, one binding, one parameter, one request: which validations deny it, and what its audit annotations say.
import { andThen } from '#base/and-then.ts';
import { eachInOrder } from '#base/each-in-order.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import { withoutTrailing } from '#base/without-trailing.ts';
import type { AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import type { MatchVerdict } from '#admission/expressions/match-conditions.ts';
import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from '#admission/policies/compiled-policy.ts';
import { verdictOn } from '#admission/policies/policy-expressions.ts';
import { PolicyBudget } from '#admission/policies/policy-budget.ts';
import { policyActivation } from '#admission/policies/policy-variables.ts';
import { maximumMessageBytes, outOfBudget } from '#cel/cost/limits.ts';
import type { AdmissionCompilation } from '#cel/admission-environment.ts';
import type { Activation } from '#cel/evaluation.ts';

export interface Denial {
  readonly message: string;
  /** `Invalid` unless the validation says otherwise; what could not be evaluated has none. */
  readonly reason: string;
  /** Which validation. */
  readonly index: number;
  readonly seconds: number;
}

export interface Judgement {
  readonly denials: readonly Denial[];
  /** What could not be evaluated, of a policy that ignores failures. */
  readonly ignored: readonly Denial[];
  /** Audit annotations that could not be evaluated: they deny whatever the binding wants done about validations. */
  readonly failedAnnotations: readonly Denial[];
  /** Keys without the policy's name. */
  readonly annotations: ReadonlyMap<string, string>;
}

const nothing: Judgement = { denials: [], ignored: [], failedAnnotations: [], annotations: new Map() };

export interface Judging {
  /** What cannot be evaluated denies. */
  readonly failClosed: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called where there are match conditions; what it returns hears their verdict. */
  readonly onConditions?: (() => (verdict: MatchVerdict) => void) | undefined;
}

/** Waits only for expressions that ask the authorizer or run long. */
export function judgePolicy(policy: CompiledPolicy, facts: AdmissionFacts, judging: Judging): MaybePromise<Judgement> {
  return andThen(verdictOn(policy, facts, judging.onConditions), (matched): MaybePromise<Judgement> => {
    if (matched.is === 'mismatch') return nothing;
    if (matched.is === 'failed') return wholeFailure(matched.why, judging);
    const budget = new PolicyBudget();
    return andThen(policyActivation(facts, policy.variables, budget), (activation) => {
      const judge = new Judge(activation, budget, judging);
      const validating = eachInOrder(policy.validations, (validation, index) => judge.validation(validation, index));
      const annotating = andThen(validating, () => judge.annotate(policy.annotations));
      return andThen(annotating, () => judge.judgement());
    });
  });
}

/** In place of all that validations say. */
function wholeFailure(message: string, { failClosed }: Judging): Judgement {
  const failure = { message, reason: '', index: 0, seconds: 0 };
  return failClosed ? { ...nothing, denials: [failure] } : { ...nothing, ignored: [failure] };
}

const maxAnnotationBytes = 10 * 1024;

interface Evaluated {
  readonly value?: unknown;
  readonly problem?: string;
}

class Judge {
  readonly #denials: Denial[] = [];
  readonly #ignored: Denial[] = [];
  readonly #failedAnnotations: Denial[] = [];
  readonly #annotations = new Map<string, string>();
  readonly #activation: Activation;
  readonly #budget: PolicyBudget;
  readonly #judging: Judging;
  #isOutOfBudget = false;

  constructor(activation: Activation, budget: PolicyBudget, judging: Judging) {
    this.#activation = activation;
    this.#budget = budget;
    this.#judging = judging;
  }

  judgement(): Judgement {
    if (this.#isOutOfBudget) return wholeFailure(outOfBudget, this.#judging);
    return { denials: this.#denials, ignored: this.#ignored, failedAnnotations: this.#failedAnnotations, annotations: this.#annotations };
  }

  validation({ source, rule, message }: CompiledValidation, index: number): MaybePromise<void> {
    const began = this.#judging.now();
    return andThen(this.#evaluate(rule, source.expression), ({ value, problem }) => {
      if (problem === undefined && value === true) return undefined;
      const seconds = (this.#judging.now() - began) / 1000;
      return problem === undefined ? this.#deny({ source, rule, message }, index, seconds) : this.#failed(problem, index, seconds);
    });
  }

  /** With a budget of their own, as upstream evaluates them. */
  annotate(annotations: readonly CompiledAnnotation[]): MaybePromise<void> {
    if (annotations.length === 0 || this.#isOutOfBudget) return undefined;
    this.#budget.renew();
    return eachInOrder(annotations, (annotation) => this.#annotation(annotation));
  }

  #annotation({ source, value: compiled }: CompiledAnnotation): MaybePromise<void> {
    const began = this.#judging.now();
    return andThen(this.#evaluate(compiled, source.valueExpression.trim()), ({ value, problem }) => {
      const text = typeof value === 'string' ? value.trim() : '';
      if (text !== '') this.#annotations.set(source.key, cut(text, maxAnnotationBytes));
      if (problem === undefined || !this.#judging.failClosed) return;
      this.#failedAnnotations.push({ message: problem, reason: '', index: 0, seconds: (this.#judging.now() - began) / 1000 });
    });
  }

  #deny({ source, message }: CompiledValidation, index: number, seconds: number): MaybePromise<void> {
    return andThen(this.#messageOf(message, source.messageExpression ?? ''), (made) => {
      const text = made || source.message?.trim() || `failed expression: ${source.expression.trim()}`;
      this.#denials.push({ message: text, reason: source.reason ?? 'Invalid', index, seconds });
    });
  }

  #evaluate(compiled: AdmissionCompilation, expression: string): MaybePromise<Evaluated> {
    if (this.#isOutOfBudget) return { problem: outOfBudget };
    if (compiled.program === undefined) return { problem: `compilation error: ${compiled.error}` };
    return andThen(this.#budget.run(compiled.program, this.#activation), (outcome): Evaluated => {
      this.#isOutOfBudget = this.#budget.isSpent;
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

  #failed(message: string, index: number, seconds: number): void {
    (this.#judging.failClosed ? this.#denials : this.#ignored).push({ message, reason: '', index, seconds });
  }
}

/** To so many bytes, never within a character. */
function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  return withoutTrailing(new TextDecoder().decode(whole.subarray(0, bytes)), '\ufffd');
}

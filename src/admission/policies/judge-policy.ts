// One policy, one binding, one parameter, one request: which validations deny it, and what its audit annotations say.
import { withoutTrailing } from '#base/without-trailing.ts';
import type { AdmissionFacts } from '#admission/expressions/admission-activation.ts';
import { admissionActivation } from '#admission/expressions/admission-activation.ts';
import type { CompiledAnnotation, CompiledPolicy, CompiledValidation } from '#admission/policies/compiled-policy.ts';
import { outOfBudget, PolicyBudget } from '#admission/policies/policy-budget.ts';
import { policyActivation } from '#admission/policies/policy-variables.ts';
import { maximumMessageBytes } from '#cel/cost/limits.ts';
import type { AdmissionCompilation } from '#cel/admission-environment.ts';
import type { Activation, Outcome } from '#cel/evaluation.ts';

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

/** `failClosed`: what cannot be evaluated denies. */
export async function judgePolicy(policy: CompiledPolicy, facts: AdmissionFacts, failClosed: boolean): Promise<Judgement> {
  const matched = await policy.conditions(admissionActivation(facts));
  if (matched.is === 'mismatch') return nothing;
  if (matched.is === 'failed') return failClosed ? { ...nothing, denials: [{ message: matched.why, reason: '', index: 0 }] } : nothing;
  const budget = new PolicyBudget();
  const activation = await policyActivation(facts, policy.variables, budget);
  const judge = new Judge(activation, budget, failClosed);
  for (const [index, validation] of policy.validations.entries()) await judge.validation(validation, index);
  for (const annotation of policy.annotations) await judge.annotation(annotation);
  return { denials: judge.denials, annotations: judge.annotations };
}

const maxAnnotationBytes = 10 * 1024;

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

  async validation({ source, rule, message }: CompiledValidation, index: number): Promise<void> {
    const { value, problem } = await this.#evaluate(rule, source.expression);
    if (problem !== undefined) return this.#failed(problem, index);
    if (value === true) return undefined;
    const text = (await this.#messageOf(message, source.messageExpression ?? '')) || source.message?.trim() || `failed expression: ${source.expression.trim()}`;
    if (this.#budget.isSpent) return this.#failed(outOfBudget, index);
    this.denials.push({ message: text, reason: source.reason ?? 'Invalid', index });
  }

  async annotation({ source, value: compiled }: CompiledAnnotation): Promise<void> {
    const { value, problem } = await this.#evaluate(compiled, source.valueExpression.trim());
    if (problem !== undefined) return this.#failed(problem, 0);
    const text = typeof value === 'string' ? value.trim() : '';
    if (text !== '') this.annotations.set(source.key, cut(text, maxAnnotationBytes));
  }

  async #evaluate(compiled: AdmissionCompilation, expression: string): Promise<{ readonly value?: unknown; readonly problem?: string }> {
    if (this.#budget.isSpent) return { problem: outOfBudget };
    if (compiled.program === undefined) return { problem: `compilation error: ${compiled.error}` };
    const outcome: Outcome = await this.#budget.run(compiled.program, this.#activation);
    if (this.#budget.isSpent) return { problem: outOfBudget };
    if (outcome.status === 'error') return { problem: `expression '${expression}' resulted in error: ${outcome.message}` };
    return { value: outcome.value };
  }

  /** Empty when the expression fails or says nothing fit to show. */
  async #messageOf(compiled: AdmissionCompilation | undefined, expression: string): Promise<string> {
    if (compiled === undefined) return '';
    const { value } = await this.#evaluate(compiled, expression);
    const text = typeof value === 'string' ? value.trim() : '';
    return text.includes('\n') || Buffer.byteLength(text) > maximumMessageBytes ? '' : text;
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

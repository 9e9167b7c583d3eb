// Runs the `x-kubernetes-validations` of a custom object: outer values before what they hold, within one budget for the whole object.
// Rules run in this turn of the event loop as long as they are quick; a long run gives others their turn.
import type { FieldError, FieldErrors } from '#api/field-error.ts';
import { nextTurn } from '#base/next-turn.ts';
import { perCallLimit, runtimeBudget } from '#cel/cost/limits.ts';
import type { Activation, Outcome } from '#cel/evaluation.ts';
import { type CelValue, Optional } from '#cel/value.ts';
import type { CompiledRule, CompiledRules } from '#schema/cel/compiled-rules.ts';
import { budgetRefusal, failedRule, fixedMessage, messageIn, refusalOf, typeRefusal } from '#schema/cel/rule-refusal.ts';
import { type RuleTimes, ruleTree } from '#schema/cel/rule-tree.ts';
import { isRatcheted, ruleVisits, type RuleVisit } from '#schema/cel/rule-visits.ts';
import type { Comparing } from '#schema/structural/correlate.ts';
import { schemaValue } from '#schema/cel/schema-value.ts';
import type { AnySchema } from '#schema/build.ts';

/** What all rules of one write may cost together. */
export interface RuleBudget {
  left: number;
}

export interface RuleOptions {
  /** The stored object: transition rules compare with it. */
  readonly old?: unknown;
  /** What a rule finds wrong with a value that did not change is told here instead of refusing the write. Without it such values are judged like others. */
  readonly warn?: (text: string) => void;
  readonly comparing?: Comparing;
  /** Where the value stands; a whole object when there is nothing said. */
  readonly at?: string;
  readonly isRoot?: boolean;
  readonly budget?: RuleBudget;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly times?: RuleTimes | undefined;
}

/** Nothing to wait for unless the rules take long. */
export function validateRules(schema: AnySchema, object: unknown, errors: FieldErrors, options: RuleOptions = {}): Promise<void> | void {
  const { old, warn, at = '', isRoot = at === '', budget = { left: runtimeBudget }, now = () => performance.now(), times } = options;
  const node = ruleTree(schema, isRoot);
  if (node === undefined) return undefined;
  const visits = ruleVisits(node, { value: object, old, at, ratchets: warn !== undefined && old !== undefined, comparing: options.comparing });
  const began = times && now();
  const pending = new RuleRun({ errors, warn, budget, now, times }).all(visits);
  const tell = () => times?.evaluated((now() - (began ?? 0)) / 1_000);
  if (pending) return pending.finally(tell);
  tell();
}

/** Rules of a larger estimate are run in slices. */
const quickCost = 20_000;
const longestTurnMs = 8;

interface RunParts {
  readonly errors: FieldErrors;
  readonly warn: ((text: string) => void) | undefined;
  readonly budget: RuleBudget;
  readonly now: () => number;
  readonly times: RuleTimes | undefined;
}

class RuleRun {
  readonly #parts: RunParts;
  readonly #budget: RuleBudget;
  #turnBegan: number;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#budget = parts.budget;
    this.#turnBegan = parts.now();
  }

  /** Takes from the generator by hand: leaving a `for … of` would end it, and with it the rules that are still due. */
  all(visited: Generator<RuleVisit>): Promise<void> | void {
    for (let next = visited.next(); !next.done && this.#budget.left >= 0; next = visited.next()) {
      const pending = this.#value(next.value);
      if (pending) return pending.then(() => this.all(visited));
    }
  }

  #value(visit: RuleVisit): Promise<void> | void {
    const rules = visit.node.rules();
    if (rules === 'none') return undefined;
    if (rules === undefined)
      return this.#refuse(typeRefusal(visit, 'rule compiler initialization error: failed to convert to declType for CEL validation rules'));
    if (this.#budget.left === 0) return this.#end(budgetRefusal(visit));
    return this.#each(rules, visit, 0);
  }

  #each(rules: CompiledRules, visit: RuleVisit, first: number): Promise<void> | void {
    const onCompiled = this.#parts.times?.compiled;
    for (let index = first; index < rules.sources.length && this.#budget.left >= 0; index++) {
      const pending = this.#rule(rules.at(index, onCompiled), visit);
      if (pending) return pending.then(() => this.#each(rules, visit, index + 1));
    }
  }

  #rule(rule: CompiledRule, visit: RuleVisit): Promise<void> | void {
    const { program, error } = rule;
    if (error !== undefined) return this.#refuse(typeRefusal(visit, `rule compile error: ${error}`));
    if (program === undefined || !isDue(rule, visit)) return undefined;
    const activation = activationOf(rule, visit);
    const { now } = this.#parts;
    if (now() - this.#turnBegan >= longestTurnMs) {
      return nextTurn().then(() => {
        this.#turnBegan = now();
        return this.#rule(rule, visit);
      });
    }
    if (rule.maxCost <= quickCost) return this.#judge(rule, visit, activation, program.evaluate(activation, { costLimit: perCallLimit }));
    return program.evaluateInSlices(activation, { costLimit: perCallLimit, now, sliceMillis: longestTurnMs }).then((outcome) => {
      this.#turnBegan = now();
      return this.#judge(rule, visit, activation, outcome);
    });
  }

  #judge(rule: CompiledRule, visit: RuleVisit, activation: Activation, outcome: Outcome): void {
    if (outcome.cost > this.#budget.left) return this.#end(budgetRefusal(visit));
    this.#budget.left -= outcome.cost;
    if (outcome.status === 'error') {
      const refusal = failedRule(rule, visit, outcome);
      return outcome.reason === 'costLimit' ? this.#end(refusal) : this.#refuse(refusal);
    }
    if (outcome.value !== true) this.#explain(rule, visit, activation);
  }

  /** What the rule's own expression says, unless it fails or says nothing fit to show. */
  #explain(rule: CompiledRule, visit: RuleVisit, activation: Activation): void {
    const refuse = (refusal: FieldError) => this.#refuseUnlessOld(rule, visit, refusal);
    if (rule.messageProgram === undefined) return refuse(refusalOf(rule, visit, fixedMessage(rule.source)));
    const outcome = rule.messageProgram.evaluate(activation, { costLimit: perCallLimit });
    const message = messageIn(rule, visit, outcome, this.#budget.left);
    if ('refusal' in message) {
      refuse(message.refusal);
      this.#budget.left = -1;
      return;
    }
    this.#budget.left -= outcome.cost;
    refuse(refusalOf(rule, visit, message.text));
  }

  /** A value that is as wrong as it was before is only warned of; what transition rules say is always about a change. */
  #refuseUnlessOld({ usesOldSelf }: CompiledRule, visit: RuleVisit, refusal: FieldError): void {
    const { warn } = this.#parts;
    if (warn !== undefined && !usesOldSelf && isRatcheted(visit)) warn(String(refusal));
    else this.#refuse(refusal);
  }

  #refuse(refusal: FieldError): void {
    this.#parts.errors.add(refusal);
  }

  /** Nothing more is run. */
  #end(refusal: FieldError): void {
    this.#refuse(refusal);
    this.#budget.left = -1;
  }
}

/** Transition rules need something to compare with. */
function isDue({ usesOldSelf, source }: CompiledRule, { old }: RuleVisit): boolean {
  return !usesOldSelf || (old !== undefined && old !== null) || source.optionalOldSelf === true;
}

function activationOf({ source }: CompiledRule, { node: { schema, isWhole }, value, old }: RuleVisit): Activation {
  let self: CelValue | undefined;
  let oldSelf: CelValue | undefined;
  const hasOld = old !== undefined && old !== null;
  return {
    get(name) {
      if (name === 'self') return (self ??= schemaValue(schema, value, isWhole));
      if (name !== 'oldSelf') return undefined;
      if (source.optionalOldSelf === true) return (oldSelf ??= hasOld ? Optional.of(schemaValue(schema, old, isWhole)) : Optional.none);
      return hasOld ? (oldSelf ??= schemaValue(schema, old, isWhole)) : undefined;
    },
  };
}

// Runs the `x-kubernetes-validations` of a custom object: outer values before what they hold, within one budget for the whole object.
// Rules run in this turn of the event loop as long as they are quick; a long run gives others their turn.
import { type FieldErrors, OMITTED } from '#api/field-error.ts';
import { runtimeBudget, maximumMessageBytes, perCallLimit } from '#cel/cost/limits.ts';
import type { Outcome, Activation } from '#cel/evaluation.ts';
import { nextTurn } from '#base/next-turn.ts';
import { type CelValue, Optional } from '#cel/value.ts';
import type { AnySchema } from '#schema/build.ts';
import { type CompiledRule, compileRules } from '#schema/cel/compiled-rules.ts';
import { schemaValue } from '#schema/cel/schema-value.ts';
import { equal } from '#schema/equal.ts';
import { perSchema } from '#schema/per-schema.ts';
import { earlierItem, earlierMember, type Earlier } from '#schema/structural/correlate.ts';

export interface RuleOptions {
  /** The stored object: rules about values that did not change are not run again, and transition rules compare with it. */
  readonly old?: unknown;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** Nothing to wait for unless the rules take long. */
export function validateRules(schema: AnySchema, object: unknown, errors: FieldErrors, options: RuleOptions = {}): Promise<void> | void {
  if (!hasRules(schema)) return undefined;
  const earlier = options.old === undefined ? undefined : { value: options.old, schema };
  const run = new RuleRun(errors, options.now ?? (() => performance.now()));
  return run.all(visits(schema, object, '', earlier, true));
}

/** One value that has rules. */
interface Visit {
  readonly schema: AnySchema;
  readonly value: unknown;
  readonly path: string;
  readonly earlier: Earlier | undefined;
  readonly isRoot: boolean;
}

const hasRulesBelow = new WeakMap<AnySchema, boolean>();

/** Recursive schemas do not exist: structural ones are trees. */
export function hasRules(schema: AnySchema): boolean {
  let found = hasRulesBelow.get(schema);
  if (found === undefined) {
    found = (schema.rules?.validations?.length ?? 0) > 0 || partsOf(schema).some(hasRules);
    hasRulesBelow.set(schema, found);
  }
  return found;
}

function partsOf(schema: AnySchema): readonly AnySchema[] {
  if (schema.is === 'list') return [schema.item];
  if (schema.is === 'map') return [schema.value];
  return schema.is === 'struct' && schema.name === '' ? Object.values(schema.fields).map((field) => field.schema) : [];
}

function* visits(schema: AnySchema, value: unknown, path: string, earlier: Earlier | undefined, isRoot = false): Generator<Visit> {
  if (value === undefined || !hasRules(schema)) return;
  if (schema.rules?.validations?.length) yield { schema, value, path, earlier, isRoot };
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.is !== 'list') return;
    for (const [index, item] of value.entries()) yield* visits(schema.item, item, `${path}[${index}]`, earlierItem(earlier, item));
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (schema.is === 'map') yield* visits(schema.value, member, `${path}[${name}]`, earlierMember(earlier, name));
    else if (schema.is === 'struct' && Object.hasOwn(schema.fields, name)) {
      yield* visits(schema.fields[name]?.schema as AnySchema, member, path === '' ? name : `${path}.${name}`, earlierMember(earlier, name));
    }
  }
}

interface Compiled {
  readonly root: readonly CompiledRule[];
  readonly part: readonly CompiledRule[];
}

const rulesOf = perSchema((schema): Compiled => {
  let root: readonly CompiledRule[] | undefined;
  let part: readonly CompiledRule[] | undefined;
  return {
    get root() {
      root ??= compileRules(schema, true, () => 'stored')?.rules ?? [];
      return root;
    },
    get part() {
      part ??= compileRules(schema, false, () => 'stored')?.rules ?? [];
      return part;
    },
  };
});

/** Rules of a larger estimate are run in slices. */
const quickCost = 20_000;
const longestTurnMs = 8;

class RuleRun {
  readonly #errors: FieldErrors;
  readonly #now: () => number;
  #budget = runtimeBudget;
  #turnBegan: number;

  constructor(errors: FieldErrors, now: () => number) {
    this.#errors = errors;
    this.#now = now;
    this.#turnBegan = now();
  }

  /** Takes from the generator by hand: leaving a `for … of` would end it, and with it the rules that are still due. */
  all(visited: Generator<Visit>): Promise<void> | void {
    for (let next = visited.next(); !next.done; next = visited.next()) {
      const visit = next.value;
      const rules = rulesOf(visit.schema)[visit.isRoot ? 'root' : 'part'];
      const pending = this.#each(rules.values(), visit);
      if (pending) return pending.then(() => (this.#budget < 0 ? undefined : this.all(visited)));
      if (this.#budget < 0) return undefined;
    }
  }

  #each(rules: Iterator<CompiledRule>, visit: Visit): Promise<void> | void {
    for (let next = rules.next(); !next.done; next = rules.next()) {
      const pending = this.#rule(next.value, visit);
      if (pending) return pending.then(() => (this.#budget < 0 ? undefined : this.#each(rules, visit)));
      if (this.#budget < 0) return undefined;
    }
  }

  #rule(rule: CompiledRule, visit: Visit): Promise<void> | void {
    const { program, error } = rule;
    if (error !== undefined) return this.#invalid(visit, `rule compile error: ${error}`);
    if (program === undefined || !isDue(rule, visit)) return undefined;
    const activation = activationOf(rule, visit);
    if (this.#now() - this.#turnBegan >= longestTurnMs) {
      return nextTurn().then(() => {
        this.#turnBegan = this.#now();
        return this.#rule(rule, visit);
      });
    }
    if (rule.maxCost <= quickCost) return this.#judge(rule, visit, activation, program.evaluate(activation, { costLimit: perCallLimit }));
    return program.evaluateInSlices(activation, { costLimit: perCallLimit, now: this.#now, sliceMillis: longestTurnMs }).then((outcome) => {
      this.#turnBegan = this.#now();
      return this.#judge(rule, visit, activation, outcome);
    });
  }

  #judge(rule: CompiledRule, visit: Visit, activation: Activation, outcome: Outcome): void {
    this.#budget -= outcome.cost;
    if (this.#budget < 0 && outcome.status === 'value') {
      this.#budget = -1;
      return this.#invalid(visit, 'validation failed due to running out of cost budget, no further validation rules will be run');
    }
    if (outcome.status === 'error') return this.#failed(rule, visit, outcome);
    if (outcome.value === true) return undefined;
    const message = this.#messageOf(rule, visit, activation);
    if (message !== undefined) this.#refuse(rule, visit, message);
  }

  #failed({ source }: CompiledRule, visit: Visit, outcome: Outcome & { readonly status: 'error' }): void {
    const { message, reason } = outcome;
    const text = source.rule.trim();
    if (reason === 'costLimit') {
      this.#budget = -1;
      return this.#invalid(visit, `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${text}`);
    }
    if (message.startsWith('no such overload'))
      return this.#invalid(visit, `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`);
    return this.#invalid(visit, `${message} evaluating rule: ${text}`);
  }

  /** The expression's answer, unless it fails or says nothing fit to show. */
  #messageOf({ source, messageProgram }: CompiledRule, visit: Visit, activation: Activation): string | undefined {
    const fixed = source.message?.trim() ? source.message.trim() : `failed rule: ${source.rule.trim()}`;
    if (messageProgram === undefined) return fixed;
    const outcome = messageProgram.evaluate(activation, { costLimit: perCallLimit });
    this.#budget -= outcome.cost;
    if (outcome.status === 'error' && outcome.reason === 'costLimit') {
      this.#budget = -1;
      const text = JSON.stringify(source.messageExpression);
      this.#invalid(visit, `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${text}`);
      return undefined;
    }
    if (outcome.status === 'error' || typeof outcome.value !== 'string') return fixed;
    const text = outcome.value.trim();
    return text === '' || text.includes('\n') || Buffer.byteLength(text) > maximumMessageBytes ? fixed : text;
  }

  #refuse({ source }: CompiledRule, visit: Visit, message: string): void {
    const path = pathOf(visit, source.fieldPath);
    switch (source.reason) {
      case 'FieldValueForbidden':
        return this.#errors.forbidden(path, message);
      case 'FieldValueRequired':
        return this.#errors.required(path, message);
      case 'FieldValueDuplicate':
        return this.#errors.duplicate(path, shownValue(visit));
      default:
        return this.#errors.invalid(path, shownValue(visit), message);
    }
  }

  #invalid(visit: Visit, message: string): void {
    this.#errors.invalid(pathOf(visit, undefined), typeName(visit.schema), message);
  }
}

/** Refusals show scalars; objects and lists are left out. */
function shownValue({ value }: Visit): unknown {
  return typeof value === 'object' && value !== null ? OMITTED : value;
}

/** What OpenAPI calls the type: where a rule could not be run, it stands for the value. */
function typeName(schema: AnySchema): string {
  switch (schema.is) {
    case 'struct':
    case 'map':
      return 'object';
    case 'list':
      return 'array';
    case 'int32':
    case 'int64':
      return 'integer';
    case 'double':
      return 'number';
    case 'boolean':
    case 'string':
      return schema.is;
    default:
      return '';
  }
}

function pathOf({ path }: Visit, fieldPath: string | undefined): string {
  if (!fieldPath) return path === '' ? '<nil>' : path;
  return path === '' ? fieldPath.replace(/^\./, '') : `${path}${fieldPath}`;
}

/** Rules about what did not change are settled; transition rules need something to compare with. */
function isDue({ usesOldSelf, source }: CompiledRule, { value, earlier }: Visit): boolean {
  if (usesOldSelf) return earlier !== undefined || source.optionalOldSelf === true;
  return earlier === undefined || !equal(value, earlier.value);
}

function activationOf({ source }: CompiledRule, { schema, value, earlier, isRoot }: Visit): Activation {
  let self: CelValue | undefined;
  let oldSelf: CelValue | undefined;
  return {
    get(name) {
      if (name === 'self') return (self ??= schemaValue(schema, value, isRoot));
      if (name !== 'oldSelf') return undefined;
      if (source.optionalOldSelf === true) {
        return (oldSelf ??= earlier === undefined ? Optional.none : Optional.of(schemaValue(schema, earlier.value, isRoot)));
      }
      return earlier === undefined ? undefined : (oldSelf ??= schemaValue(schema, earlier.value, isRoot));
    },
  };
}

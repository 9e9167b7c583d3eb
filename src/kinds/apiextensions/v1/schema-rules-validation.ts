// The validation rules of a definition's schema: each must compile, and none, nor all of them together, may cost too much.
import { FieldErrors } from '#api/field-error.ts';
import { staticDefinitionLimit, staticRuleLimit } from '#cel/cost/limits.ts';
import { overBudget } from '#cel/cost/over-budget.ts';
import { ruleForm } from '#kinds/apiextensions/v1/json-schema-form.ts';
import type { JSONSchemaProps, ValidationRule } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { type AgeOf, type CompiledRule, CompiledRules } from '#schema/cel/compiled-rules.ts';
import { type OpenApiSource, valueFromOpenApi } from '#schema/structural/from-openapi.ts';

/** Where in the schema a rule stands, as far as its cost and its view of the past depend on it. */
export interface RulePlace {
  readonly isRoot: boolean;
  /** How many values of this schema an object can hold; undefined where a list or map around it has no limit. */
  readonly cardinality: number | undefined;
  /** The path of the list or map whose parts cannot be found again in the old object. */
  readonly uncorrelatable: string | undefined;
}

export const rootPlace: RulePlace = { isRoot: true, cardinality: 1, uncorrelatable: undefined };

export function propertyPlace(place: RulePlace, schema: JSONSchemaProps, path: string): RulePlace {
  const isCorrelatable = schema['x-kubernetes-map-type'] !== 'atomic';
  return { isRoot: false, cardinality: place.cardinality, uncorrelatable: place.uncorrelatable ?? (isCorrelatable ? undefined : path) };
}

export function valuePlace(place: RulePlace, { maxProperties }: JSONSchemaProps): RulePlace {
  return { ...place, isRoot: false, cardinality: product(place.cardinality, maxProperties) };
}

export function itemPlace(place: RulePlace, schema: JSONSchemaProps, path: string): RulePlace {
  const isCorrelatable = schema['x-kubernetes-list-type'] === 'map';
  return {
    isRoot: false,
    cardinality: product(place.cardinality, schema.maxItems),
    uncorrelatable: place.uncorrelatable ?? (isCorrelatable ? undefined : path),
  };
}

function product(around: number | undefined, limit: number | undefined): number | undefined {
  return around === undefined || limit === undefined ? undefined : around * Number(limit);
}

export interface SchemaRulesOptions {
  /** Expressions that were stored before may use what newer ones may not yet. */
  readonly ageOf: AgeOf;
  /** The schema is the stored one: its rules were accepted whatever they cost. */
  readonly isUnchanged: boolean;
}

/** Collects what is wrong with the rules of one schema; told after what is wrong with the schema itself. */
export class SchemaRules {
  readonly #options: SchemaRulesOptions;
  readonly #errors = new FieldErrors();
  readonly #postponed: (() => void)[] = [];
  readonly #costs: { readonly path: string; readonly cost: number }[] = [];

  constructor(options: SchemaRulesOptions) {
    this.#options = options;
  }

  /** The rules of one part of the schema, which is sound in itself. Compiled one by one when all are reported: that takes a while. */
  check(schema: JSONSchemaProps, path: string, place: RulePlace): void {
    let compiled: CompiledRules | undefined;
    const at = `${path}.x-kubernetes-validations`;
    this.#postponed.push(() => {
      compiled = CompiledRules.of(valueFromOpenApi(schema as unknown as OpenApiSource), place.isRoot, this.#options.ageOf);
      if (compiled === undefined) this.#errors.internal(at, untyped);
    });
    schema['x-kubernetes-validations']?.forEach((source, index) => {
      this.#postponed.push(() => {
        if (compiled === undefined) return;
        const rule = compiled.at(index);
        const cost = rule.maxCost * (place.cardinality ?? compiled.maxCardinality);
        this.#checkRule(rule, source, cost, `${at}[${index}]`, place);
      });
    });
  }

  #checkRule(rule: CompiledRule, source: ValidationRule, cost: number, path: string, { uncorrelatable }: RulePlace): void {
    this.#count('estimated rule cost', cost, `${path}.rule`);
    if (rule.error !== undefined) this.#errors.invalid(`${path}.rule`, ruleForm(source), rule.error);
    if (rule.messageError !== undefined) this.#errors.invalid(`${path}.messageExpression`, ruleForm(source), rule.messageError);
    else if (rule.messageProgram !== undefined) this.#count('estimated messageExpression cost', rule.messageMaxCost, `${path}.messageExpression`);
    if (rule.usesOldSelf) {
      const why = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
      if (uncorrelatable !== undefined) this.#errors.invalid(`${path}.rule`, source.rule, why);
    } else if (source.optionalOldSelf !== undefined) {
      this.#errors.invalid(`${path}.optionalOldSelf`, source.optionalOldSelf, 'may not be set if oldSelf is not used in rule');
    }
  }

  #count(what: string, cost: number, path: string): void {
    if (!this.#options.isUnchanged && cost > staticRuleLimit) this.#errors.forbidden(path, overBudget(what, cost, staticRuleLimit));
    this.#costs.push({ path, cost });
  }

  /** Everything found, and the total of all costs, goes to `errors`. */
  report(path: string, errors: FieldErrors): void {
    for (const check of this.#postponed) errors.later(check);
    errors.later((found) => this.#reportAll(path, found));
  }

  #reportAll(path: string, errors: FieldErrors): void {
    errors.add(...this.#errors.list);
    const total = this.#costs.reduce((sum, { cost }) => sum + cost, 0);
    if (total <= staticDefinitionLimit) return;
    for (const expensive of mostExpensive(this.#costs)) {
      errors.forbidden(expensive.path, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema');
    }
    errors.forbidden(path, overBudget('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total, staticDefinitionLimit));
  }
}

const untyped =
  'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';

/** Up to four, each of at least a hundredth of the limit. */
function mostExpensive<T extends { readonly cost: number }>(costs: readonly T[]): readonly T[] {
  return costs
    .filter(({ cost }) => cost >= staticDefinitionLimit / 100)
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, 4);
}

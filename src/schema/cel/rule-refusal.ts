// What clients are told about a validation rule that an object breaks, in the words of apiextensions-apiserver.
import { FieldError, type FieldErrorReason, OMITTED } from '#api/field-error.ts';
import { goQuote } from '#base/go-text.ts';
import { maximumMessageBytes, outOfBudget } from '#cel/cost/limits.ts';
import type { Outcome } from '#cel/evaluation.ts';
import type { AnySchema } from '#schema/build.ts';
import type { CompiledRule, ValidationRule } from '#schema/cel/compiled-rules.ts';
import type { RuleVisit } from '#schema/cel/rule-visits.ts';

/** The refusal of a value for which a rule is false. */
export function refusalOf(rule: CompiledRule, visit: RuleVisit, message: string): FieldError {
  const path = pathOf(visit, rule.fieldPath);
  const reason = reasons.get(rule.source.reason ?? '') ?? 'FieldValueInvalid';
  return new FieldError(reason, path, shownValue(visit), reason === 'FieldValueDuplicate' ? '' : message);
}

const reasons: ReadonlyMap<string, FieldErrorReason> = new Map(
  (['FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'] as const).map((reason) => [reason, reason]),
);

/** The refusal of a value for which a rule comes to no result. */
export function failedRule({ source }: CompiledRule, visit: RuleVisit, { message, reason }: Outcome & { readonly status: 'error' }): FieldError {
  const named = nameOf(source);
  if (reason === 'costLimit')
    return typeRefusal(visit, `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${named}`);
  if (message.startsWith('no such overload'))
    return typeRefusal(visit, `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`);
  return typeRefusal(visit, `${message} evaluating rule: ${named}`);
}

export function budgetRefusal(visit: RuleVisit): FieldError {
  return typeRefusal(visit, outOfBudget);
}

/** Where rules could not be run, the type of the schema stands for the value. */
export function typeRefusal(visit: RuleVisit, message: string, fieldPath = ''): FieldError {
  return new FieldError('FieldValueInvalid', pathOf(visit, fieldPath), typeName(visit.node.schema), message);
}

export function fixedMessage(source: ValidationRule): string {
  return source.message ? source.message.trim() : `failed rule: ${source.rule.trim()}`;
}

/** What the message expression says; a refusal of its own when it costs too much; the fixed message when it fails or says nothing fit to show. */
export function messageIn(
  rule: CompiledRule,
  visit: RuleVisit,
  outcome: Outcome,
  budget: number,
): { readonly text: string } | { readonly refusal: FieldError } {
  const refused = (why: string) => ({ refusal: typeRefusal(visit, why, rule.fieldPath) });
  if (outcome.cost > budget) return refused('messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run');
  if (outcome.status === 'error' && outcome.reason === 'costLimit') {
    const expression = goQuote(rule.source.messageExpression ?? '');
    return refused(`no further validation rules will be run due to call cost exceeds limit for messageExpression: ${expression}`);
  }
  const text = outcome.status === 'value' && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  const isFit = text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= maximumMessageBytes;
  return { text: isFit ? text : fixedMessage(rule.source) };
}

/** How errors name a rule. */
function nameOf({ rule, message }: ValidationRule): string {
  return (message || rule).trim();
}

/** Refusals show scalars; objects and lists are left out. */
function shownValue({ node: { schema }, value }: RuleVisit): unknown {
  const type = typeName(schema);
  return type === 'object' || type === 'array' ? OMITTED : value;
}

/** What OpenAPI calls the type. */
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

function pathOf({ path }: RuleVisit, fieldPath: string): string {
  if (fieldPath === '') return path === '' ? '<nil>' : path;
  return path === '' ? fieldPath : `${path}.${fieldPath}`;
}

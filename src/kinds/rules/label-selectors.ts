// The rules of `LabelSelector` fields.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { type LabelSelector, type LabelSelectorExpression, type LabelSelectorObject, labelSelectorFrom } from '#api/label-selector.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import { validateLabelKey, validateLabels } from '#resource/metadata-rules.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

export interface LabelSelectorRules {
  /** Values of expressions are not looked at: the stored object had a bad one already. */
  readonly anyValue?: boolean;
  /** For reviews, where a wider check follows. */
  readonly anyOperator?: boolean;
}

export function validateLabelSelector(selector: LabelSelectorObject | undefined, path: string, errors: FieldErrors, rules: LabelSelectorRules = {}): void {
  if (selector === undefined) return;
  validateLabels(selector.matchLabels, `${path}.matchLabels`, errors);
  selector.matchExpressions?.forEach((expression, index) => {
    validateLabelSelectorRequirement(expression, `${path}.matchExpressions[${index}]`, errors, rules);
  });
}

export function validateLabelSelectorRequirement(
  { key, operator, values = [] }: LabelSelectorExpression,
  path: string,
  errors: FieldErrors,
  rules: LabelSelectorRules = {},
): void {
  validateRequirementValues(operator, values.length, path, errors, rules.anyOperator === true);
  validateLabelKey(key, `${path}.key`, errors);
  if (rules.anyValue) return;
  values.forEach((value, index) => errors.invalidEach(`${path}.values[${index}]`, value, labelValueProblems(value)));
}

function validateRequirementValues(operator: string, count: number, path: string, errors: FieldErrors, anyOperator: boolean): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (count === 0) errors.required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (count > 0) errors.forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      break;
    default:
      if (!anyOperator) errors.invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator');
  }
}

/** For ratcheting: an update may keep the bad values that are stored. */
export function hasInvalidLabelValue(selector: LabelSelectorObject | undefined): boolean {
  return selector?.matchExpressions?.some(({ values = [] }) => values.some((value) => labelValueProblems(value).length > 0)) ?? false;
}

/** Undefined when it cannot be made into one. */
export function compiledSelector(selector: LabelSelectorObject | undefined): LabelSelector | undefined {
  try {
    return labelSelectorFrom(selector);
  } catch {
    return undefined;
  }
}

export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}

/** As messages show it: fields in the order of Go, maps sorted by key. */
export function shownSelector(selector: LabelSelectorObject | undefined): object | null {
  if (selector === undefined) return null;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(matchLabels !== undefined && { matchLabels: shownMap(matchLabels) }),
    ...(matchExpressions !== undefined && {
      matchExpressions: matchExpressions.map(({ key, operator, values }) => ({ key, operator, ...(values !== undefined && { values }) })),
    }),
  };
}

/** A map of `owner` in a message: Go tells one that was sent empty from one that was not sent. */
export function shownMapOf<Field extends string>(
  owner: { readonly [field in Field]?: Readonly<Record<string, string>> | undefined },
  field: Field,
): object | null {
  return owner[field] === undefined && wasGivenEmpty(owner, field) ? {} : shownMap(owner[field]);
}

export function shownMap(map: Readonly<Record<string, string>> | undefined): object | null {
  return map === undefined ? null : Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

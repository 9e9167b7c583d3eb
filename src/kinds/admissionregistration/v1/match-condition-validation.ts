// The rules of match conditions.
import type { FieldErrors } from '#api/field-error.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import type { ExpressionChecks } from '#kinds/admissionregistration/v1/expression-validation.ts';
import type { MatchCondition } from '#kinds/admissionregistration/v1/match-condition.ts';

export function validateMatchConditions(conditions: readonly MatchCondition[], checks: ExpressionChecks, path: string, errors: FieldErrors): void {
  if (conditions.length > 64) errors.tooMany(path, conditions.length, 64);
  const names = new Set<string>();
  conditions.forEach(({ name, expression }, index) => {
    const at = `${path}[${index}]`;
    const trimmed = expression.trim();
    if (trimmed === '') errors.required(`${at}.expression`);
    else checks.check('matchCondition', trimmed, `${at}.expression`, errors);
    if (name === '') return errors.required(`${at}.name`);
    errors.invalidEach(`${at}.name`, name, labelKeyProblems(name));
    if (names.has(name)) errors.duplicate(`${at}.name`, name);
    names.add(name);
  });
}

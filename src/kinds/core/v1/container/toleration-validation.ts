// The rules of tolerations.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { decimalIntegerProblems } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';
import { labelValueProblems } from '#base/label-syntax.ts';
import type { PodRules } from '#kinds/core/v1/pod/pod-rules.ts';
import type { Toleration } from '#kinds/core/v1/container/toleration.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: string,
  errors: FieldErrors,
  rules: Pick<PodRules, 'comparingTolerations'>,
): void {
  tolerations?.forEach((toleration, index) => {
    const at = `${path}[${index}]`;
    const { key = '', operator = '', effect = '' } = toleration;
    if (key !== '') validateLabelKey(key, `${at}.key`, errors);
    else if (operator !== 'Exists') {
      errors.invalid(`${at}.operator`, asJson(operator), 'operator must be Exists when `key` is empty, which means "match all values and all keys"');
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.invalid(`${at}.effect`, asJson(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    validateOperator(toleration, at, errors, rules.comparingTolerations);
    if (effect !== '') validateTaintEffect(effect, `${at}.effect`, errors);
  });
}

/** Upstream reports bad values at the operator. */
function validateOperator({ operator = '', value = '' }: Toleration, path: string, errors: FieldErrors, comparing: boolean): void {
  switch (operator) {
    case '':
    case 'Equal': {
      const problems = labelValueProblems(value);
      if (problems.length > 0) errors.invalid(`${path}.operator`, value, problems.join(';'));
      break;
    }
    case 'Exists':
      if (value !== '') errors.invalid(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'");
      break;
    case 'Lt':
    case 'Gt':
      if (comparing) validateComparedValue(value, `${path}.value`, errors);
      else errors.notSupported(`${path}.operator`, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
      break;
    default:
      errors.notSupported(`${path}.operator`, operator, ['Equal', 'Exists']);
  }
}

function validateComparedValue(value: string, path: string, errors: FieldErrors): void {
  errors.invalidEach(path, value, decimalIntegerProblems(value));
  const shown = `strconv.ParseInt: parsing ${goQuote(value)}`;
  if (!/^[+-]?[0-9]+$/.test(value)) errors.invalid(path, value, `${shown}: invalid syntax`);
  else if (!fitsInt64(value)) errors.invalid(path, value, `${shown}: value out of range`);
}

/** Longer texts are not read as a bigint, which takes quadratic time. */
function fitsInt64(text: string): boolean {
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length > 19) return false;
  const value = BigInt(`${text.startsWith('-') ? '-' : ''}${digits === '' ? '0' : digits}`);
  return BigInt.asIntN(64, value) === value;
}

export function validateTaintEffect(effect: string, path: string, errors: FieldErrors): void {
  const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
  if (!effects.includes(effect)) errors.notSupported(path, effect, effects);
}

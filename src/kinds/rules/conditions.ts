// The rules of `metav1.Condition` lists.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, regexHint } from '#base/formats.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

/** As decoded: only the type is sure to be there. */
export interface ConditionFields {
  readonly type: string;
  readonly status?: string | undefined;
  readonly observedGeneration?: number | undefined;
  readonly lastTransitionTime?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export function validateConditions(conditions: readonly ConditionFields[] | undefined, path: string, errors: FieldErrors): void {
  const types = new Set<string>();
  conditions?.forEach((condition, index) => {
    const at = `${path}[${index}]`;
    if (types.has(condition.type)) errors.duplicate(`${at}.type`, condition.type);
    types.add(condition.type);
    validateCondition(condition, at, errors);
  });
}

export function validateCondition(condition: ConditionFields, path: string, errors: FieldErrors): void {
  const { status = '', observedGeneration = 0, message = '' } = condition;
  validateLabelKey(condition.type, `${path}.type`, errors);
  if (!['True', 'False', 'Unknown'].includes(status)) errors.notSupported(`${path}.status`, status, ['False', 'True', 'Unknown']);
  if (observedGeneration < 0) errors.invalid(`${path}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero');
  if (condition.lastTransitionTime === undefined) errors.required(`${path}.lastTransitionTime`);
  validateReason(condition.reason ?? '', `${path}.reason`, errors);
  if (byteLength(message) > 32 * 1024) errors.tooLong(`${path}.message`, 32 * 1024);
}

const reasonFormat = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";

function validateReason(reason: string, path: string, errors: FieldErrors): void {
  if (reason === '') return errors.required(path);
  if (!/^[A-Za-z](?:[A-Za-z0-9_,:]*[A-Za-z0-9_])?$/.test(reason)) {
    errors.invalid(path, reason, regexHint(reasonRule, reasonFormat, 'my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'));
  }
  if (byteLength(reason) > 1024) errors.tooLong(path, 1024);
}

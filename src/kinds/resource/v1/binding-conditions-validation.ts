// The rules of the conditions that a device must reach before a pod is bound.
import type { FieldErrors } from '#api/field-error.ts';
import { repeatedAt } from '#base/repeated.ts';
import { validateList } from '#kinds/resource/v1/collection-validation.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

interface Binding {
  readonly bindingConditions?: readonly string[] | undefined;
  readonly bindingFailureConditions?: readonly string[] | undefined;
}

const maxConditions = 4;

export function validateBindingConditions(binding: Binding, path: string, errors: FieldErrors): void {
  const wanted = binding.bindingConditions ?? [];
  const failed = binding.bindingFailureConditions ?? [];
  const [wantedPath, failedPath] = [`${path}.bindingConditions`, `${path}.bindingFailureConditions`];
  validateList(wanted, maxConditions, validateLabelKey, wantedPath, errors);
  validateList(failed, maxConditions, validateLabelKey, failedPath, errors);
  validateUnique(wanted, wantedPath, errors);
  const repeated = repeatedAt(failed);
  const bound = new Set(wanted);
  failed.forEach((condition, index) => {
    if (repeated[index]) errors.duplicate(`${failedPath}[${index}]`, condition);
    if (bound.has(condition)) errors.invalid(`${failedPath}[${index}]`, condition, 'bindingFailureConditions must not overlap with bindingConditions');
  });
  if (wanted.length === 0 && failed.length > 0)
    errors.invalid(wantedPath, none(binding, 'bindingConditions'), 'bindingConditions are required to use bindingFailureConditions');
  if (failed.length === 0 && wanted.length > 0)
    errors.invalid(failedPath, none(binding, 'bindingFailureConditions'), 'bindingFailureConditions are required to use bindingConditions');
}

/** What was sent empty is shown so. */
function none(binding: Binding, field: keyof Binding): [] | null {
  return wasGivenEmpty(binding, field) ? [] : null;
}

function validateUnique(conditions: readonly string[], path: string, errors: FieldErrors): void {
  const repeated = repeatedAt(conditions);
  conditions.forEach((condition, index) => {
    if (repeated[index]) errors.duplicate(`${path}[${index}]`, condition);
  });
}

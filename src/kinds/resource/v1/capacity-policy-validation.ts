// The rules of how much of a shared capacity one request may take.
import type { FieldErrors } from '#api/field-error.ts';
import { validateSet } from '#kinds/resource/v1/collection-validation.ts';
import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from '#kinds/resource/v1/resource-slice.ts';
import { addQuantities, compareQuantities, quantityValue } from '#kinds/rules/quantities.ts';

const maxValues = 10;

export function validateRequestPolicy(policy: CapacityRequestPolicy, capacity: string, path: string, errors: FieldErrors): void {
  const { default: standard, validValues, validRange } = policy;
  if (validValues?.length && validRange !== undefined) {
    errors.forbidden(path, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time');
  } else if (validValues?.length) {
    if (standard === undefined) errors.required(`${path}.default`, 'required when validValues is defined');
    else validateValues(validValues, standard, capacity, `${path}.validValues`, errors);
  } else if (validRange !== undefined) {
    if (standard === undefined) errors.required(`${path}.default`, 'required when validRange is defined');
    else validateRange(validRange, standard, capacity, `${path}.validRange`, errors);
  }
}

function validateValues(values: readonly string[], standard: string, capacity: string, path: string, errors: FieldErrors): void {
  values.forEach((value, index) => {
    const before = values[index - 1];
    if (before !== undefined && compareQuantities(before, value) > 0) errors.invalid(`${path}[${index}]`, value, 'values must be sorted in ascending order');
  });
  const tooLarge = (value: string, at: string) => {
    if (compareQuantities(value, capacity) > 0) errors.invalid(at, value, `option is larger than capacity value: ${capacity}`);
  };
  validateSet(values, maxValues, tooLarge, (value) => String(quantityValue(value)), path, errors);
  const found = values.length <= maxValues && values.some((value) => compareQuantities(value, standard) === 0);
  if (!found) errors.invalid(path, standard, 'default value is not valid according to the requestPolicy');
}

function validateRange(range: CapacityRequestPolicyRange, standard: string, capacity: string, path: string, errors: FieldErrors): void {
  const { min, max, step } = range;
  if (min === undefined) return errors.required(`${path}.min`, 'required when validRange is defined');
  if (compareQuantities(min, capacity) > 0) errors.invalid(`${path}.min`, min, `min is larger than capacity value: ${capacity}`);
  if (compareQuantities(standard, min) < 0) errors.invalid(`${path}.min`, standard, `default is less than min: ${min}`);
  if (max !== undefined) validateMaximum(max, min, standard, capacity, `${path}.max`, errors);
  if (step === undefined) return;
  const first = addQuantities(min, step);
  if (compareQuantities(first, capacity) > 0) errors.invalid(`${path}.step`, step, `one step ${first} is larger than capacity value: ${capacity}`);
  validateStep(standard, min, step, `${path}.step`, errors);
  if (max !== undefined) validateStep(max, min, step, `${path}.step`, errors);
}

function validateMaximum(max: string, min: string, standard: string, capacity: string, path: string, errors: FieldErrors): void {
  if (compareQuantities(min, max) > 0) errors.invalid(path, min, `min is larger than max: ${max}`);
  if (compareQuantities(max, capacity) > 0) errors.invalid(path, max, `max is larger than capacity value: ${capacity}`);
  if (compareQuantities(standard, max) > 0) errors.invalid(path, standard, `default is more than max: ${max}`);
}

function validateStep(value: string, min: string, step: string, path: string, errors: FieldErrors): void {
  const size = quantityValue(step);
  // A step of zero would end in a panic upstream.
  if (size !== 0n && (quantityValue(value) - quantityValue(min)) % size === 0n) return;
  errors.invalid(path, value, `value is not a multiple of a given step (${step}) from (${min})`);
}

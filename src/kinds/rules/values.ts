// Small checks that many kinds share.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { percentProblems } from '#base/formats.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';

export function validatePositive(value: number, path: string, errors: FieldErrors): void {
  if (value <= 0) errors.invalid(path, value, 'must be greater than zero');
}

/** An enumeration: empty is missing, anything unknown is unsupported. */
export function validateChoice(value: string | undefined, supported: readonly string[], path: string, errors: FieldErrors): void {
  if (!value) errors.required(path);
  else if (!supported.includes(value)) errors.notSupported(path, value, supported);
}

export function validateImmutable(value: unknown, old: unknown, path: string, errors: FieldErrors): void {
  if (!semanticEqual(value, old)) errors.invalid(path, value, 'field is immutable');
}

/** `25%` or a count. */
export function validateCountOrPercent(value: number | string, path: string, errors: FieldErrors): void {
  if (typeof value === 'string') errors.invalidEach(path, asJson(value), percentProblems(value));
  else validateNonNegative(value, path, errors);
}

/** The number before the sign; undefined when the value is a count or no percentage. */
export function percentOf(value: number | string | undefined): number | undefined {
  if (typeof value !== 'string' || percentProblems(value).length > 0) return undefined;
  return Number(value.slice(0, -1));
}

export function validateAtMostAllPercent(value: number | string | undefined, path: string, errors: FieldErrors): void {
  const percent = percentOf(value);
  if (percent !== undefined && percent > 100) errors.invalid(path, value, 'must not be greater than 100%');
}

/** The count, or the number of a percentage (only good for telling zero from the rest). */
export function countOrPercentValue(value: number | string = 0): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?[0-9]+$/.test(value) ? Number(value) : 0);
}

/** Trims what Go's TrimSpace trims. */
export function hasOuterSpace(text: string): boolean {
  return /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]|[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/.test(text);
}

/** Counters of a status. */
export function validateCounters<T>(status: T, fields: readonly (keyof T & string)[], path: string, errors: FieldErrors): void {
  for (const field of fields) {
    const count = status[field];
    if (typeof count === 'number' || typeof count === 'bigint') validateNonNegative(count as number, `${path}.${field}`, errors);
  }
}

export function validateAtMost(count: number | undefined, limit: number | undefined, path: string, errors: FieldErrors, detail: string): void {
  if ((count ?? 0) > (limit ?? 0)) errors.invalid(path, count ?? 0, detail);
}

/** A counter that may only grow. */
export function validateNotDecremented(count: number | undefined, old: number | undefined, path: string, errors: FieldErrors): void {
  if (old !== undefined && (count === undefined || count < old)) errors.invalid(path, count ?? 0, 'cannot be decremented');
}

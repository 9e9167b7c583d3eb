// The rules of fields that hold file paths inside a volume or a container.
import type { FieldErrors } from '#api/field-error.ts';

export function hasBackstep(path: string): boolean {
  return path.includes('..') && path.split('/').includes('..');
}

export function validateNoBacksteps(value: string, path: string, errors: FieldErrors): void {
  if (hasBackstep(value)) errors.invalid(path, value, "must not contain '..'");
}

/** Relative, and below where it starts. */
export function validateLocalPath(value: string, path: string, errors: FieldErrors): void {
  if (value.startsWith('/')) errors.invalid(path, value, 'must be a relative path');
  validateNoBacksteps(value, path, errors);
}

/** A local path that does not look like the hidden entries of atomically written volumes. */
export function validateNonReservedPath(value: string, path: string, errors: FieldErrors): void {
  validateLocalPath(value, path, errors);
  if (value.startsWith('..') && !value.startsWith('../')) errors.invalid(path, value, "must not start with '..'");
}

export function validateFileMode(mode: number | undefined, path: string, errors: FieldErrors): void {
  if (mode !== undefined && (mode > 0o777 || mode < 0)) errors.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

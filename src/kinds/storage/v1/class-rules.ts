// What storage classes and volume attributes classes have in common: a driver by name, and opaque parameters.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength } from '#base/formats.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';

const parameterCount = 512;
const parameterBytes = 256 * 1024;

/** Letters of either case are fine. */
export function validateProvisioner(provisioner: string, path: string, errors: FieldErrors): void {
  if (provisioner === '') errors.required(path);
  else validateLabelKey(provisioner.toLowerCase(), path, errors);
}

export function validateParameters(parameters: Readonly<Record<string, string>> = {}, path: string, errors: FieldErrors): void {
  const keys = Object.keys(parameters);
  if (keys.length > parameterCount) return errors.tooLong(path, parameterCount);
  if (keys.includes('')) errors.invalid(path, '', 'field can not be empty.');
  const size = keys.reduce((sum, key) => sum + byteLength(key) + byteLength(parameters[key] ?? ''), 0);
  if (size > parameterBytes) errors.tooLong(path, parameterBytes);
}

// The rules of single files that volumes are made of.
import type { FieldErrors } from '#api/field-error.ts';
import { validateResourceFieldSelector, validateVolumeFieldSelector } from '#kinds/core/v1/container/env-var-validation.ts';
import type { DownwardAPIVolumeFile, KeyToPath } from '#kinds/core/v1/volume/volume.ts';
import { validateFileMode, validateNonReservedPath } from '#kinds/rules/paths.ts';

export function validateKeyToPath(item: KeyToPath, path: string, errors: FieldErrors): void {
  if (item.key === '') errors.required(`${path}.key`);
  if (item.path === '') errors.required(`${path}.path`);
  validateNonReservedPath(item.path, `${path}.path`, errors);
  validateFileMode(item.mode, `${path}.mode`, errors);
}

export function validateDownwardApiFile(file: DownwardAPIVolumeFile, path: string, errors: FieldErrors): void {
  if (file.path === '') errors.required(`${path}.path`);
  validateNonReservedPath(file.path, `${path}.path`, errors);
  if (file.fieldRef !== undefined) {
    validateVolumeFieldSelector(file.fieldRef, `${path}.fieldRef`, errors);
    if (file.resourceFieldRef !== undefined) errors.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (file.resourceFieldRef !== undefined) {
    validateResourceFieldSelector(file.resourceFieldRef, `${path}.resourceFieldRef`, errors, { containerNeeded: true });
  } else {
    errors.required(path, 'one of fieldRef and resourceFieldRef is required');
  }
  validateFileMode(file.mode, `${path}.mode`, errors);
}

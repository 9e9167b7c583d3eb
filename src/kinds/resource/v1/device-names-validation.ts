// Names in dynamic resource allocation: pools, devices, attributes, shares.
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { byteLength, cIdentifierProblems, dns1123LabelProblems, dns1123SubdomainProblems } from '#base/formats.ts';
import { validateCsiDriverName } from '#kinds/core/v1/volume/volume-validation.ts';

/** Drivers follow the rule of storage drivers. */
export const validateDriverName: (driver: string, path: string, errors: FieldErrors) => void = (driver, path, errors) =>
  validateCsiDriverName(driver, path, errors);

export function validateDeviceLabel(name: string, path: string, errors: FieldErrors): void {
  errors.invalidEach(path, name, dns1123LabelProblems(name));
}

export function validatePoolName(name: string, path: string, errors: FieldErrors): void {
  if (name === '') return errors.required(path);
  if (byteLength(name) > 253) errors.tooLong(path, 253);
  for (const part of name.split('/')) errors.invalidEach(path, part, dns1123SubdomainProblems(part));
}

/** `[domain/]name`; more than one slash is not looked into, as upstream has it. */
export function validateAttributeName(name: string, path: string, errors: FieldErrors): void {
  const parts = name.split('/');
  if (parts.length === 1) return validateIdentifier(name, path, errors);
  if (parts.length > 2) return;
  const [domain = '', identifier = ''] = parts;
  if (domain === '') errors.invalid(path, '', 'the domain must not be empty');
  else validateDriverName(domain, path, errors);
  if (identifier === '') errors.invalid(path, '', 'the name must not be empty');
  else validateIdentifier(identifier, path, errors);
}

export function validateFullAttributeName(name: string, path: string, errors: FieldErrors): void {
  validateAttributeName(name, path, errors);
  if (!name.includes('/')) errors.invalid(path, asJson(name), 'a fully qualified name must be a domain and a name separated by a slash');
}

function validateIdentifier(name: string, path: string, errors: FieldErrors): void {
  if (byteLength(name) > 32) errors.tooLong(path, 32);
  errors.invalidEach(path, name, cIdentifierProblems(name));
}

export function validateShareId(id: string, path: string, errors: FieldErrors): void {
  const problem = uuidProblem(id);
  if (problem !== undefined) errors.invalid(path, id, `error validating uid: ${problem}`);
  else if (id.length !== 36 || id !== id.toLowerCase()) {
    const form = 'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
    errors.invalid(path, id, form);
  }
}

const hyphenated = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The four spellings of a UUID that the original reads. */
function uuidProblem(id: string): string | undefined {
  switch (byteLength(id)) {
    case 32:
      return /^[0-9a-f]+$/i.test(id) ? undefined : 'invalid UUID format';
    case 36:
      return hyphenated.test(id) ? undefined : 'invalid UUID format';
    case 38:
      if (!id.startsWith('{') || !id.endsWith('}')) return 'invalid bracketed UUID format';
      return hyphenated.test(id.slice(1, -1)) ? undefined : 'invalid UUID format';
    case 45:
      if (!/^urn:uuid:/i.test(id)) return `invalid urn prefix: "${id.slice(0, 9)}"`;
      return hyphenated.test(id.slice(9)) ? undefined : 'invalid UUID format';
    default:
      return `invalid UUID length: ${byteLength(id)}`;
  }
}

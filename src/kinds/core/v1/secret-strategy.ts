import type { FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { bytesIn, maxDataBytes, validateConfigKey, validateUnchangedWhenImmutable } from '#kinds/core/v1/config-map-strategy.ts';
import type { Secret } from '#kinds/core/v1/secret.ts';
import { keyPairProblem } from '#kinds/core/v1/tls-key-pair.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';
import { joined, setMember } from '#schema/clone.ts';
import { JsonSyntaxError, parseJson } from '#schema/json/parse-json.ts';

const serviceAccountName = 'kubernetes.io/service-account.name';

/** stringData is a way of writing data, never kept. */
export function defaultSecret(secret: Secret): void {
  const { stringData } = secret;
  if (stringData !== undefined) {
    const data = joined(secret.data);
    for (const key of Object.keys(stringData)) setMember(data, key, Buffer.from(stringData[key] ?? '').toString('base64'));
    secret.data = data;
    delete secret.stringData;
  }
  if (!secret.type) secret.type = 'Opaque';
}

export const secretStrategy: Strategy<Secret> = {
  selectableFields: { type: ({ type }) => type ?? '' },
  validate: validateSecret,
  validateUpdate(secret, old, errors) {
    validateObjectMetaUpdate(secret.metadata, old.metadata, errors);
    validateImmutable(secret.type, old.type, 'type', errors);
    validateUnchangedWhenImmutable(secret, old, ['data'], errors);
    validateSecret(secret, errors);
  },
  warnOnCreate: warningsOf,
  warnOnUpdate: warningsOf,
};

function warningsOf({ type, data = {} }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString('latin1');
  const problem = keyPairProblem(text('tls.crt'), text('tls.key'));
  return problem === undefined ? [] : [problem];
}

function validateSecret(secret: Secret, errors: FieldErrors): void {
  validateObjectMeta(secret.metadata, true, nameIsSubdomain, errors);
  const { data = {} } = secret;
  for (const key of Object.keys(data)) validateConfigKey(key, `data[${key}]`, errors);
  if (bytesIn(data) > maxDataBytes) errors.tooLong('data', maxDataBytes);
  validateByType(secret, data, errors);
}

function validateByType({ type, metadata }: Secret, data: Readonly<Record<string, string>>, errors: FieldErrors): void {
  const require = (key: string) => {
    if (data[key] === undefined) errors.required(`data[${key}]`);
  };
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if (!metadata.annotations?.[serviceAccountName]) errors.required(`metadata.annotations[${serviceAccountName}]`);
      break;
    case 'kubernetes.io/dockercfg':
      validateJsonKey(data, '.dockercfg', errors);
      break;
    case 'kubernetes.io/dockerconfigjson':
      validateJsonKey(data, '.dockerconfigjson', errors);
      break;
    case 'kubernetes.io/basic-auth':
      if (data['username'] === undefined && data['password'] === undefined) for (const key of ['username', 'password']) require(key);
      break;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) errors.required('data[ssh-privatekey]');
      break;
    case 'kubernetes.io/tls':
      for (const key of ['tls.crt', 'tls.key']) require(key);
      break;
    default:
  }
}

function validateJsonKey(data: Readonly<Record<string, string>>, key: string, errors: FieldErrors): void {
  const path = `data[${key}]`;
  const value = data[key];
  if (value === undefined) {
    errors.required(path);
    return;
  }
  try {
    const { value: parsed } = parseJson(Buffer.from(value, 'base64'));
    if (parsed !== null && (typeof parsed !== 'object' || Array.isArray(parsed))) {
      const found = Array.isArray(parsed) ? 'array' : typeof parsed === 'boolean' ? 'bool' : typeof parsed;
      throw new JsonSyntaxError(`json: cannot unmarshal ${found} into Go value of type map[string]interface {}`);
    }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    errors.invalid(path, '<secret contents redacted>', error.message);
  }
}

export const secretColumns: readonly Column<Secret>[] = [
  nameColumn(),
  { name: 'Type', type: 'string', read: ({ type }) => type ?? '' },
  { name: 'Data', type: 'string', read: ({ data = {} }) => Object.keys(data).length },
  ageColumn(),
];

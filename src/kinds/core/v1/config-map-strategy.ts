import type { FieldErrors } from '#api/field-error.ts';
import { configKeyProblems, nameIsSubdomain } from '#base/formats.ts';
import type { ConfigMap } from '#kinds/core/v1/config-map.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const configMapStrategy: Strategy<ConfigMap> = {
  validate: validateConfigMap,
  validateUpdate(configMap, old, errors) {
    validateObjectMetaUpdate(configMap.metadata, old.metadata, errors);
    validateUnchangedWhenImmutable(configMap, old, ['data', 'binaryData'], errors);
    validateConfigMap(configMap, errors);
  },
};

function validateConfigMap(configMap: ConfigMap, errors: FieldErrors): void {
  validateObjectMeta(configMap.metadata, true, nameIsSubdomain, errors);
  const { data = {}, binaryData = {} } = configMap;
  let size = bytesIn(binaryData);
  for (const key in data) {
    validateConfigKey(key, `data[${key}]`, errors);
    if (Object.hasOwn(binaryData, key)) errors.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
    size += Buffer.byteLength(data[key] ?? '');
  }
  for (const key in binaryData) validateConfigKey(key, `binaryData[${key}]`, errors);
  if (size > maxDataBytes) errors.tooLong('[]', maxDataBytes);
}

export const maxDataBytes = 1024 * 1024;

export function validateConfigKey(key: string, path: string, errors: FieldErrors): void {
  for (const problem of configKeyProblems(key)) errors.invalid(path, key, problem);
}

/** Of base64 texts, decoded. */
export function bytesIn(data: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const key in data) size += Buffer.byteLength(data[key] ?? '', 'base64');
  return size;
}

interface Freezable {
  readonly immutable?: boolean | undefined;
}

/** Once immutable, neither the content nor the flag can be taken back. */
export function validateUnchangedWhenImmutable<T extends Freezable>(object: T, old: T, fields: readonly (keyof T & string)[], errors: FieldErrors): void {
  if (!old.immutable) return;
  const frozen = 'field is immutable when `immutable` is set';
  if (!object.immutable) errors.forbidden('immutable', frozen);
  for (const field of fields) if (!semanticEqual(object[field] ?? {}, old[field] ?? {})) errors.forbidden(field, frozen);
}

export const configMapColumns: readonly Column<ConfigMap>[] = [
  nameColumn(),
  { name: 'Data', type: 'string', read: ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length },
  ageColumn(),
];

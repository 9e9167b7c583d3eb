// Items of sets and of lists with keys must be unique, wherever in a custom object such a list stands.
import { errorsIn, type FieldError, type FieldErrors } from '#api/field-error.ts';
import type { AnySchema } from '#schema/build.ts';
import { hasParts } from '#schema/struct-plan.ts';
import { jsonText } from '#schema/protobuf/protobuf-json.ts';
import { sorted } from '#schema/json/sorted.ts';

/** With `old`, the object that is replaced: an update is judged only if that was right. */
export function validateListInvariants(schema: AnySchema, value: unknown, errors: FieldErrors, old?: unknown): void {
  const found = problemsIn(schema, value);
  if (found.length > 0 && (old === undefined || problemsIn(schema, old).length === 0)) errors.add(...found);
}

function problemsIn(schema: AnySchema, value: unknown): readonly FieldError[] {
  return errorsIn((errors) => walk(schema, value, '', errors)) as readonly FieldError[];
}

function walk(schema: AnySchema, value: unknown, path: string, errors: FieldErrors): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.is !== 'list') return;
    checkUnique(schema.merge, value, path, errors);
    if (!hasParts(schema.item)) return;
    for (let index = 0; index < value.length; index++) {
      if (typeof value[index] === 'object') walk(schema.item, value[index], `${path}[${index}]`, errors);
    }
    return;
  }
  if (!hasParts(schema.is === 'map' ? schema.value : schema)) return;
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member !== 'object') continue;
    if (schema.is === 'map') walk(schema.value, member, `${path}[${name}]`, errors);
    else if (schema.is === 'struct' && Object.hasOwn(schema.fields, name))
      walk(schema.fields[name]?.schema as AnySchema, member, path === '' ? name : `${path}.${name}`, errors);
  }
}

function checkUnique(
  merge: 'atomic' | 'set' | { readonly keys: readonly string[] } | undefined,
  list: readonly unknown[],
  path: string,
  errors: FieldErrors,
): void {
  if (merge === 'set') reportDuplicates(list, path, errors);
  if (typeof merge !== 'object') return;
  const stranger = list.findIndex((item) => item !== null && (typeof item !== 'object' || Array.isArray(item)));
  if (stranger >= 0) errors.invalid(`${path}[${stranger}]`, list[stranger], 'must be an object for an array of list-type map');
  else
    reportDuplicates(
      list.map((item) => keysOf(item as Record<string, unknown> | null, merge.keys)),
      path,
      errors,
    );
}

/** Keys that an item does not have are left out: two items without a key are the same. */
function keysOf(item: Record<string, unknown> | null, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => item !== null && Object.hasOwn(item, key)).map((key) => [key, item?.[key]]));
}

/** Only the second of several equal items is reported. */
function reportDuplicates(items: readonly unknown[], path: string, errors: FieldErrors): void {
  const seen = new Map<string, number>();
  for (const [index, given] of items.entries()) {
    const item = sorted(given);
    const text = jsonText(item);
    const times = seen.get(text) ?? 0;
    seen.set(text, times + 1);
    if (times === 1) errors.duplicate(`${path}[${index}]`, item);
  }
}

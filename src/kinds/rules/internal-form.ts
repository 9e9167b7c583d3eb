// Values of types whose internal form differs from the public one in the names of fields only: as messages print them.
// (goForm is for types whose fields moved or changed order.)
import { shownSelector } from '#kinds/rules/label-selectors.ts';
import type { LabelSelectorObject } from '#api/label-selector.ts';
import { arrange } from '#schema/json/arrange.ts';
import type { AnyField, AnySchema, StructSchema } from '#schema/build.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

const initialisms: Readonly<Record<string, string>> = {
  api: 'API',
  ca: 'CA',
  cel: 'CEL',
  dns: 'DNS',
  id: 'ID',
  json: 'JSON',
  uid: 'UID',
  url: 'URL',
  ip: 'IP',
};

/** Gives a table when it is needed: tables and strategies know each other, but modules must not. */
export type SchemaSource = () => StructSchema;

export function internalForm(schema: StructSchema, value: object): object {
  const fields = value as Readonly<Record<string, unknown>>;
  if (schema.name.endsWith('.LabelSelector')) return shownSelector(value as LabelSelectorObject) ?? {};
  return Object.fromEntries(Object.entries(schema.fields).flatMap(([name, field]) => membersOf(name, field, fields[name] ?? emptyOf(field, fields, name))));
}

/** What was sent empty is shown empty, not null. */
function emptyOf({ schema }: AnyField, owner: object, name: string): unknown {
  if (!wasGivenEmpty(owner, name)) return undefined;
  return schema.is === 'list' ? [] : schema.is === 'map' ? {} : undefined;
}

/** Metadata of a template stands among the fields of its parent, under its public names. */
function membersOf(name: string, field: AnyField, value: unknown): [string, unknown][] {
  if (name !== 'metadata' || field.schema.is !== 'struct') return [[goName(name), fieldForm(field, value)]];
  return Object.entries(arrange(field.schema, value ?? {}) as object);
}

/** `apiGroups` is APIGroups, `matchPolicy` is MatchPolicy. */
function goName(name: string): string {
  return name.replace(/^[a-z]+/, (word) => initialisms[word] ?? word.charAt(0).toUpperCase() + word.slice(1));
}

function fieldForm(field: AnyField, value: unknown): unknown {
  if (value !== undefined && value !== null) return formOf(field.schema, value);
  return field.presence === 'pointer' ? null : zeroOf(field.schema);
}

function formOf(schema: AnySchema, value: unknown): unknown {
  if (schema.is === 'struct') return internalForm(schema, value as object);
  if (schema.is === 'list') return (value as readonly unknown[]).map((item) => formOf(schema.item, item));
  return schema.is === 'map' ? mapForm(schema.value, value as Record<string, unknown>) : value;
}

function mapForm(schema: AnySchema, map: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.keys(map)
      .toSorted()
      .map((key) => [key, formOf(schema, map[key])]),
  );
}

function zeroOf(schema: AnySchema): unknown {
  switch (schema.is) {
    case 'struct':
      return internalForm(schema, {});
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
      return 0;
    case 'string':
      return '';
    default:
      return null;
  }
}

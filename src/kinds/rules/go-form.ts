// A value as the original prints it in messages: JSON of its internal Go type, which knows neither our names nor omitted fields.
import { goFields } from '#kinds/rules/go-fields.ts';
import { storageGoFields } from '#kinds/rules/go-fields-storage.ts';
import { shownMap } from '#kinds/rules/label-selectors.ts';
import type { AnyField, AnySchema, StructSchema } from '#schema/build.ts';
import { arrange } from '#schema/json/arrange.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

type Fields = Readonly<Record<string, unknown>>;

export function goForm(schema: StructSchema, value: object | undefined): unknown {
  return value === undefined ? null : formOf(schema, value);
}

function formOf(schema: AnySchema, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  switch (schema.is) {
    case 'struct':
      return structForm(schema, value as Fields);
    case 'list':
      return (value as readonly unknown[]).map((item) => formOf(schema.item, item));
    case 'map':
      return shownMap(value as Record<string, string>);
    default:
      return value;
  }
}

function structForm(schema: StructSchema, value: Fields): unknown {
  const name = schema.name.slice(schema.name.lastIndexOf('.') + 1);
  const plan = goFields[name] ?? storageGoFields[name];
  // Types of metadata are the same inside and outside.
  if (plan === undefined) return arrange(schema, value);
  const form: Record<string, unknown> = {};
  for (const entry of plan.split(' ')) {
    if (entry === '@ObjectMeta') Object.assign(form, fieldForm(schema.fields['metadata'], value['metadata']));
    else {
      const [goName = '', jsonName = jsonNameOf(goName)] = entry.split(':');
      form[goName] = fieldForm(schema.fields[jsonName], value[jsonName] ?? emptyOf(schema.fields[jsonName], value, jsonName));
    }
  }
  if (name === 'PodSpec') form['SecurityContext'] = { ...hostFields(value), ...(form['SecurityContext'] as object) };
  return form;
}

/** What was sent empty is shown empty, not null. */
function emptyOf(field: AnyField | undefined, owner: Fields, name: string): unknown {
  if (field === undefined || !wasGivenEmpty(owner, name)) return undefined;
  return field.schema.is === 'list' ? [] : field.schema.is === 'map' ? {} : undefined;
}

/** `HTTPGet` is httpGet, `TTY` is tty, `HostPID` is hostPID. */
function jsonNameOf(goName: string): string {
  if (/^[A-Z]+$/.test(goName)) return goName.toLowerCase();
  return goName.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

/** Outside these stand beside the security context, inside they are part of it. */
function hostFields(spec: Fields): object {
  return {
    HostNetwork: spec['hostNetwork'] ?? false,
    HostPID: spec['hostPID'] ?? false,
    HostIPC: spec['hostIPC'] ?? false,
    ShareProcessNamespace: spec['shareProcessNamespace'] ?? null,
    HostUsers: spec['hostUsers'] ?? null,
  };
}

function fieldForm(field: AnyField | undefined, value: unknown): unknown {
  if (field === undefined) return null;
  if (value !== undefined || field.presence === 'pointer') return formOf(field.schema, value);
  switch (field.schema.is) {
    case 'struct':
      return structForm(field.schema, {});
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'string':
      return '';
    default:
      return null;
  }
}

// Which fields a kind has, and which of them an object uses. Every type counts once; what is the spec of another kind counts there.
import type { ResourceDefinition } from '#resource/definition.ts';
import type { AnySchema, StructSchema } from '#schema/build.ts';

/** `PodSpec.nodeName` */
export type FieldName = string;

const notCounted = new Set(['apiVersion', 'kind', 'metadata', 'status']);

export function fieldsOfKind(definition: ResourceDefinition, others: readonly ResourceDefinition[]): Set<FieldName> {
  const own = specOf(definition);
  const elsewhere = new Set(others.map(specOf).filter((schema) => schema !== undefined && schema !== own));
  const fields = new Set<FieldName>();
  const visit = (schema: AnySchema | undefined, seen: Set<AnySchema>): void => {
    if (schema === undefined || seen.has(schema) || elsewhere.has(schema as StructSchema)) return;
    seen.add(schema);
    if (schema.is === 'list') visit(schema.item, seen);
    else if (schema.is === 'map') visit(schema.value, seen);
    else if (schema.is === 'struct') {
      for (const [name, field] of Object.entries(schema.fields)) {
        if (notCounted.has(name)) continue;
        fields.add(fieldName(schema, name));
        visit(field.schema, seen);
      }
    }
  };
  visit(definition.schema, new Set());
  return fields;
}

function specOf({ schema }: ResourceDefinition): StructSchema | undefined {
  const spec = schema.fields['spec']?.schema;
  return spec?.is === 'struct' ? spec : undefined;
}

export function* fieldsUsed(schema: AnySchema, value: unknown): Generator<FieldName> {
  if (value === undefined || value === null) return;
  if (schema.is === 'list') for (const item of value as readonly unknown[]) yield* fieldsUsed(schema.item, item);
  else if (schema.is === 'map') for (const item of Object.values(value)) yield* fieldsUsed(schema.value, item);
  else if (schema.is === 'struct') {
    for (const [name, field] of Object.entries(schema.fields)) {
      const inner = (value as Readonly<Record<string, unknown>>)[name];
      if (inner === undefined) continue;
      yield fieldName(schema, name);
      yield* fieldsUsed(field.schema, inner);
    }
  }
}

function fieldName({ name }: StructSchema, field: string): FieldName {
  return `${name.slice(name.lastIndexOf('.') + 1)}.${field}`;
}

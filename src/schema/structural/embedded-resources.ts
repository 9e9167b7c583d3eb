// Whole objects inside a custom object (`x-kubernetes-embedded-resource`): who they are and where.
import type { AnySchema } from '#schema/build.ts';

export type VisitEmbedded = (path: string, object: Record<string, unknown>) => void;

/** Calls `visit` for every embedded object, outer ones first; the root itself is not one. */
export function forEachEmbedded(schema: AnySchema, value: unknown, visit: VisitEmbedded): void {
  walk(schema, value, '', visit);
}

function walk(schema: AnySchema, value: unknown, path: string, visit: VisitEmbedded): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.is === 'list') for (const [index, item] of value.entries()) walk(schema.item, item, `${path}[${index}]`, visit);
    return;
  }
  if (schema.is === 'struct' && schema.options.embeddedResource === true) visit(path, value as Record<string, unknown>);
  for (const [name, member] of Object.entries(value)) {
    if (schema.is === 'map') walk(schema.value, member, `${path}[${name}]`, visit);
    else if (schema.is === 'struct' && Object.hasOwn(schema.fields, name))
      walk(schema.fields[name]?.schema as AnySchema, member, path === '' ? name : `${path}.${name}`, visit);
  }
}

// Whole objects inside a custom object (`x-kubernetes-embedded-resource`): who they are and where.
import type { AnySchema } from '#schema/build.ts';
import { hasParts } from '#schema/struct-plan.ts';

export type VisitEmbedded = (path: string, object: Record<string, unknown>) => void;

/** Calls `visit` for every embedded object, outer ones first; the root itself is not one. */
export function forEachEmbedded(schema: AnySchema, value: unknown, visit: VisitEmbedded): void {
  walk(schema, value, '', visit);
}

function walk(schema: AnySchema, value: unknown, path: string, visit: VisitEmbedded): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (schema.is === 'list' && hasParts(schema.item)) walkItems(schema.item, value, path, visit);
    return;
  }
  if (!hasParts(schema.is === 'map' ? schema.value : schema)) return;
  if (schema.is === 'struct' && schema.options.embeddedResource === true) visit(path, value as Record<string, unknown>);
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member !== 'object') continue;
    if (schema.is === 'map') walk(schema.value, member, `${path}[${name}]`, visit);
    else if (schema.is === 'struct' && Object.hasOwn(schema.fields, name))
      walk(schema.fields[name]?.schema as AnySchema, member, path === '' ? name : `${path}.${name}`, visit);
  }
}

/** Nothing is spent on the paths of scalars, of which a list may have very many. */
function walkItems(schema: AnySchema, list: readonly unknown[], path: string, visit: VisitEmbedded): void {
  for (let index = 0; index < list.length; index++) if (typeof list[index] === 'object') walk(schema, list[index], `${path}[${index}]`, visit);
}

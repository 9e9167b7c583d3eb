// Defaults that a custom resource's schema states. Null means «use the default» where null is not allowed,
// and «not there» where there is no default either.
import type { AnySchema, StructSchema } from '#schema/build.ts';
import { clone, setMember } from '#schema/clone.ts';
import { perSchema } from '#schema/per-schema.ts';
import { isCustom } from '#schema/struct-plan.ts';
import { coercedEmbedded } from '#schema/structural/embedded-metadata.ts';

/** Changes the object in place. With `keepsNulls` a null that has no default stays, for validation to refuse. */
export function applyStructuralDefaults(schema: AnySchema, value: unknown, keepsNulls = false): void {
  if (!keepsNulls) removeNulls(schema, value);
  fill(schema, value);
  if (statesEmbeddedDefaults(schema).somewhere) coerceFilled(schema as StructSchema, value);
}

/** What a default gives to the metadata of an embedded object is typed like what a client gives. */
function coerceFilled(schema: StructSchema, value: unknown): void {
  const metadata = schema.fields['metadata']?.schema;
  if (metadata?.is === 'struct') coercedEmbedded(schema, value, metadata);
}

/** Whether there are both defaults and whole objects: then one may have made the other. */
const statesEmbeddedDefaults = perSchema((schema) => ({ somewhere: holds(schema, isWhole) && holds(schema, (part) => defaultOf(part) !== undefined) }));

function isWhole(schema: AnySchema): boolean {
  return schema.is === 'struct' && schema.options.embeddedResource === true;
}

/** Of a custom schema, which never contains itself. The metadata of the object itself is a table that states no defaults. */
function holds(schema: AnySchema, wanted: (part: AnySchema) => boolean): boolean {
  if (wanted(schema)) return true;
  if (schema.is === 'list') return holds(schema.item, wanted);
  if (schema.is === 'map') return holds(schema.value, wanted);
  return schema.is === 'struct' && isCustom(schema) && Object.values(schema.fields).some((field) => holds(field.schema, wanted));
}

function removeNulls(schema: AnySchema | undefined, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) removeNulls(itemOf(schema), item);
    return;
  }
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member !== 'object') continue;
    const own = memberOf(schema, name);
    if (member === null && own !== undefined && !isNullable(own) && defaultOf(own) === undefined) delete (value as Record<string, unknown>)[name];
    else removeNulls(own, member);
  }
}

function fill(schema: AnySchema | undefined, value: unknown): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) fillList(itemOf(schema), value);
  else fillMembers(schema, value as Record<string, unknown>);
}

function fillList(item: AnySchema | undefined, list: unknown[]): void {
  if (item === undefined) return;
  for (const [index, given] of list.entries()) {
    if (given === null && !isNullable(item)) list[index] = clone(defaultOf(item)) ?? null;
    fill(item, list[index]);
  }
}

function fillMembers(schema: AnySchema, object: Record<string, unknown>): void {
  if (schema.is === 'struct') {
    for (const { name, schema: own } of statedDefaults(schema).fields) {
      const missing = !Object.hasOwn(object, name) || (object[name] === null && !isNullable(own));
      if (missing) setMember(object, name, clone(defaultOf(own)));
    }
  }
  for (const name of Object.keys(object)) {
    const own = memberOf(schema, name);
    if (schema.is === 'map' && own !== undefined && object[name] === null && !isNullable(own)) setMember(object, name, clone(defaultOf(own)) ?? null);
    fill(own, object[name]);
  }
}

/** Whether a field of the struct is filled in where it is missing. */
export function statesDefault(schema: AnySchema, name: string): boolean {
  return statedDefaults(schema).fields.some((field) => field.name === name);
}

/** The fields of a struct that state one. */
const statedDefaults = perSchema((schema) => {
  const fields = Object.entries(schema.is === 'struct' ? schema.fields : {}).map(([name, field]) => ({ name, schema: field.schema }));
  return { fields: fields.filter((field) => defaultOf(field.schema) !== undefined) };
});

function memberOf(schema: AnySchema | undefined, name: string): AnySchema | undefined {
  if (schema?.is === 'map') return schema.value;
  return schema?.is === 'struct' && Object.hasOwn(schema.fields, name) ? schema.fields[name]?.schema : undefined;
}

function itemOf(schema: AnySchema | undefined): AnySchema | undefined {
  return schema?.is === 'list' ? schema.item : undefined;
}

function isNullable(schema: AnySchema): boolean {
  return schema.rules?.nullable === true;
}

/** A default of null is none. */
function defaultOf(schema: AnySchema): unknown {
  return schema.rules?.default ?? undefined;
}

import { expect, test } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import type { AnySchema, StructSchema } from '#schema/build.ts';

/** The names of all structs that a value of the schema may hold, however deep. */
function structsIn(schema: AnySchema, found = new Set<StructSchema>()): ReadonlySet<StructSchema> {
  if (schema.is === 'list') return structsIn(schema.item, found);
  if (schema.is === 'map') return structsIn(schema.value, found);
  if (schema.is !== 'struct' || found.has(schema)) return found;
  found.add(schema);
  for (const field of Object.values(schema.fields)) structsIn(field.schema, found);
  return found;
}

const anywhere = new Map(builtinResources.flatMap(({ defaults }) => defaults.map(({ struct, fill }) => [struct, fill] as const)));

test.each(builtinResources.map((definition) => [`${definition.group}/${definition.version} ${definition.plural}`, definition] as const))(
  '%s fills in every struct it is made of as all other resources do, and nothing else',
  (_, { schema, defaults }) => {
    const expected = [...structsIn(schema)].filter((struct) => anywhere.has(struct));
    expect(defaults.map(({ struct }) => struct.name).toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
    for (const { struct, fill } of defaults) expect(fill, struct.name).toBe(anywhere.get(struct));
  },
);

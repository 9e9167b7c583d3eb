import { beforeAll, describe, expect, it } from 'vitest';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { loadDescriptions, loadGroupTexts } from '#kinds/descriptions/load.ts';
import { openApiVocabulary } from '#kinds/openapi-vocabulary.ts';
import type { AnySchema } from '#schema/build.ts';
import { type Descriptions, nameOf } from '#schema/openapi.ts';

/** Everything with a name that can be reached from a resource or from an operation. */
function publishedSchemas(): Map<string, AnySchema> {
  const found = new Map<string, AnySchema>();
  const { descriptions: _load, subresources, ...shared } = openApiVocabulary;
  const open: AnySchema[] = [...builtinResources.map(({ schema }) => schema), ...subresources, ...Object.values(shared)];
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const name = nameOf(schema);
    if (name !== undefined && found.has(name)) continue;
    if (name !== undefined) found.set(name, schema);
    if (schema.is === 'struct') open.push(...Object.values(schema.fields).map((field) => field.schema));
    else if (schema.is === 'list') open.push(schema.item);
    else if (schema.is === 'map') open.push(schema.value);
  }
  return found;
}

let schemas: Map<string, AnySchema>;
let descriptions: Descriptions;
beforeAll(async () => {
  schemas = publishedSchemas();
  descriptions = await loadDescriptions();
});

describe('descriptions', () => {
  it('are of structs and fields that exist', async () => {
    const strangers = (await loadGroupTexts()).flatMap(({ package: prefix, structs }) =>
      Object.entries(structs).flatMap(([name, texts]) =>
        Object.keys(texts)
          .filter((field) => !isField(`${prefix}.${name}`, field))
          .map((field) => `${prefix}.${name} ${field}`),
      ),
    );
    expect(strangers).toEqual([]);
  });

  it('exist for every kind', () => {
    const kinds = builtinResources.map(({ schema }) => schema.name);
    expect(kinds.filter((name) => descriptions[name]?.[''] === undefined)).toEqual([]);
  });

  it('exist for every type that is written as one value', () => {
    const scalars = [...schemas].filter(([, schema]) => schema.is !== 'struct').map(([name]) => name);
    expect(scalars.filter((name) => descriptions[name]?.[''] === undefined)).toEqual([]);
  });

  it.each(['core.v1.PodSpec', 'core.v1.Container', 'core.v1.Probe', 'core.v1.Volume', 'core.v1.ServiceSpec', 'apps.v1.DeploymentSpec', 'batch.v1.JobSpec'])(
    'say something about every field of %s',
    (name) => {
      const schema = schemas.get(`io.k8s.api.${name}`);
      const fields = schema?.is === 'struct' ? Object.keys(schema.fields) : [];
      expect(fields.length).toBeGreaterThan(0);
      expect(fields.filter((field) => descriptions[`io.k8s.api.${name}`]?.[field] === undefined)).toEqual([]);
    },
  );

  it('are sentences', () => {
    const texts = Object.values(descriptions).flatMap((fields) => Object.values(fields));
    expect(texts.filter((text) => !/^\S.*[.…]$/su.test(text))).toEqual([]);
  });
});

function isField(name: string, field: string): boolean {
  const schema = schemas.get(name);
  if (schema === undefined) return false;
  return field === '' || (schema.is === 'struct' && Object.hasOwn(schema.fields, field));
}

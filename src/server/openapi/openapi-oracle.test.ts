// Our documents against those of a real kube-apiserver, which are kept without their descriptions.
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { openApiVocabulary } from '#kinds/openapi-vocabulary.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { type DocumentContext, document2, document3, documentNames } from '#server/openapi/document.ts';

type Json = { [key: string]: any };

const folder = new URL('../../../../shared/oracle/', import.meta.url);
const read = (file: string): Json => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

let context: DocumentContext;
beforeAll(async () => {
  const catalog = new ResourceCatalog(builtinResources, { priorities: apiGroups });
  context = {
    catalog,
    vocabulary: openApiVocabulary,
    descriptions: await openApiVocabulary.descriptions(),
    gate: () => true,
    returnsDeleted: (definition) => catalog.hubOf(definition).strategy.returnsDeleted === true,
  };
});

describe.skipIf(!existsSync(folder))('OpenAPI documents of a real server', () => {
  it('has the same documents of OpenAPI 3', () => {
    expect(documentNames(context)).toEqual(read('openapi-v3.json')['index']);
  });

  it('says the same in every document of OpenAPI 3', async () => {
    const { definitions, documents } = read('openapi-v3.json');
    const differences: string[] = [];
    for (const [name, { definitionNames, differing = {}, ...theirs }] of Object.entries(documents as Json)) {
      const { components, ...ours } = JSON.parse(await document3(name, context, new Map())) as Json;
      const expected = Object.fromEntries(definitionNames.map((each: string) => [each, differing[each] ?? definitions[each]]));
      const shape = { ...ours, paths: mapValues(ours['paths'], pathForm3), securitySchemes: components['securitySchemes'] };
      const schemas = mapValues(components['schemas'] ?? {}, schemaForm);
      differences.push(...differingPaths(shape, theirs, name), ...differingPaths(schemas, expected, `${name} schemas`));
    }
    expect(differences).toEqual([]);
  });

  it('says the same in the Swagger document', async () => {
    const { paths, definitions, parameters, ...rest } = JSON.parse(await document2(context)) as Json;
    const ours = {
      ...rest,
      paths: mapValues(paths, pathForm2),
      definitions: mapValues(definitions, schemaForm),
      parameters: mapValues(parameters, withoutDescription),
    };
    expect(differingPaths(ours, read('openapi-v2.json'), '')).toEqual([]);
  });
});

function pathForm3(item: Json): Json {
  const { parameters, ...operations } = item;
  return { ...(parameters && { parameters: parameters.map(parameterForm) }), ...mapValues(operations, operationForm3) };
}

function operationForm3({ operationId, tags, parameters, requestBody, responses, ...extensions }: Json): Json {
  return {
    id: operationId,
    tags,
    ...extensionForm(extensions),
    ...(parameters && { parameters: parameters.map(parameterForm) }),
    ...(requestBody && { request: mapValues(requestBody.content, ({ schema }: Json) => modelForm(schema)) }),
    ...(requestBody?.required && { requestRequired: true }),
    responses: mapValues(responses, ({ content }: Json) => (content ? mapValues(content, ({ schema }: Json) => modelForm(schema)) : null)),
  };
}

function pathForm2({ parameters, ...operations }: Json): Json {
  return { ...(parameters && { parameters: parameters.map(parameterForm) }), ...mapValues(operations, operationForm2) };
}

function operationForm2({ operationId, tags, schemes, consumes, produces, parameters, responses, ...extensions }: Json): Json {
  const body = parameters?.find(({ name }: Json) => name === 'body');
  return {
    id: operationId,
    tags,
    schemes,
    ...extensionForm(extensions),
    ...(consumes && { consumes }),
    ...(produces && { produces }),
    ...(parameters && { parameters: parameters.map(parameterForm) }),
    ...(body && { body: modelForm(body.schema) }),
    responses: mapValues(responses, ({ schema }: Json) => (schema ? modelForm(schema) : null)),
  };
}

function extensionForm({ description: _, 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvk, ...more }: Json): Json {
  return { ...more, ...(action && { action }), ...(gvk && { gvk: `${gvk.group}/${gvk.version}/${gvk.kind}` }) };
}

function parameterForm({ $ref, in: place, name, required }: Json): string {
  return $ref === undefined ? `${place}:${name}${required ? '!' : ''}` : $ref.replace(/.*\//, '');
}

function modelForm(schema: Json): unknown {
  return schema['$ref'] === undefined ? schema : schema['$ref'].replace(/.*\//, '');
}

function schemaForm(schema: Json): Json {
  const { $ref, allOf, properties, items, additionalProperties, ...rest } = withoutDescription(schema);
  const reference = $ref ?? allOf?.[0].$ref;
  return {
    ...rest,
    ...(reference && { ref: modelForm({ $ref: reference }) }),
    ...(properties && { properties: mapValues(properties, schemaForm) }),
    ...(items && { items: schemaForm(items) }),
    ...(additionalProperties && { additionalProperties: schemaForm(additionalProperties) }),
  };
}

function withoutDescription({ description: _, ...rest }: Json): Json {
  return rest;
}

function mapValues(object: Json, change: (value: any) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function differingPaths(ours: any, theirs: any, path: string): string[] {
  if (isObject(ours) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
    return keys.flatMap((key) => differingPaths(ours[key], theirs[key], `${path} ${key}`));
  }
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)];
  return a === b || (isObject(ours) && expectEqual(ours, theirs)) ? [] : [`${path}: ${a} instead of ${b}`];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function expectEqual(ours: unknown, theirs: unknown): boolean {
  return JSON.stringify(ours) === JSON.stringify(theirs);
}

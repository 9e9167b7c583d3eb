// Our documents against those of a real kube-apiserver, which are kept without their descriptions.
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiGroups } from '#kinds/api-groups.ts';
import { builtinResources } from '#kinds/builtin-resources.ts';
import { openApiVocabulary } from '#kinds/openapi-vocabulary.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { type DocumentContext, document2, document3, documentNames, publishesDeleted } from '#server/openapi/document.ts';

interface Schema {
  description?: string;
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
}
interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}
type Content = Record<string, { schema: Schema }>;
interface Operation {
  operationId: string;
  tags: string[];
  description: string;
  schemes?: string[];
  consumes?: string[];
  produces?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content; required?: boolean };
  responses: Record<string, { content?: Content; schema?: Schema }>;
  'x-kubernetes-action'?: string;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string };
}
type Paths = Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
interface Recorded3 {
  index: string[];
  definitions: Record<string, object>;
  documents: Record<string, { definitionNames: string[]; differing?: Record<string, object> }>;
}

const folder = new URL('../../../../shared/oracle/', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));

let context: DocumentContext;
beforeAll(async () => {
  const catalog = new ResourceCatalog(builtinResources, { priorities: apiGroups });
  context = {
    catalog,
    vocabulary: openApiVocabulary,
    descriptions: await openApiVocabulary.descriptions(),
    gate: () => true,
    returnsDeleted: (definition) => publishesDeleted(catalog, definition),
  };
});

describe.skipIf(!existsSync(folder))('OpenAPI documents of a real server', () => {
  it('has the same documents of OpenAPI 3', () => {
    expect(documentNames(context)).toEqual((read('openapi-v3.json') as Recorded3).index);
  });

  it('says the same in every document of OpenAPI 3', async () => {
    const { definitions, documents } = read('openapi-v3.json') as Recorded3;
    const differences: string[] = [];
    for (const [name, { definitionNames, differing, ...theirs }] of Object.entries(documents)) {
      const { components, paths, ...rest } = JSON.parse(await document3(name, context, new Map())) as Document3;
      const expected = Object.fromEntries(definitionNames.map((each) => [each, differing?.[each] ?? definitions[each]]));
      const ours = { ...rest, paths: mapValues(paths, (item) => pathForm(item, operationForm3)), securitySchemes: components.securitySchemes };
      const schemas = mapValues(components.schemas ?? {}, schemaForm);
      differences.push(...differingPaths(ours, theirs, name), ...differingPaths(schemas, expected, `${name} schemas`));
    }
    expect(differences).toEqual([]);
  });

  it('says the same in the Swagger document', async () => {
    const { paths, definitions, parameters, ...rest } = JSON.parse(await document2(context)) as Document2;
    const ours = {
      ...rest,
      paths: mapValues(paths, (item) => pathForm(item, operationForm2)),
      definitions: mapValues(definitions, schemaForm),
      parameters: mapValues(parameters, parameterDefinitionForm),
    };
    expect(differingPaths(ours, read('openapi-v2.json'), '')).toEqual([]);
  });
});

interface Document3 {
  paths: Paths;
  components: { schemas?: Record<string, Schema>; securitySchemes: object };
}
interface Document2 {
  paths: Paths;
  definitions: Record<string, Schema>;
  parameters: Record<string, Schema>;
}

function pathForm({ parameters, ...operations }: Paths[string], operationForm: (operation: Operation) => object): object {
  return { ...(parameters && { parameters: parameters.map(parameterForm) }), ...mapValues(operations as Record<string, Operation>, operationForm) };
}

function operationForm3(operation: Operation): object {
  const { requestBody, responses } = operation;
  return {
    ...commonForm(operation),
    ...(requestBody && { request: mapValues(requestBody.content, ({ schema }) => modelForm(schema)) }),
    ...(requestBody?.required && { requestRequired: true }),
    responses: mapValues(responses, ({ content }) => (content ? mapValues(content, ({ schema }) => modelForm(schema)) : null)),
  };
}

function operationForm2(operation: Operation): object {
  const { schemes, consumes, produces, parameters, responses } = operation;
  const body = parameters?.find(({ name }) => name === 'body');
  return {
    ...commonForm(operation),
    schemes,
    ...(consumes && { consumes }),
    ...(produces && { produces }),
    ...(body && { body: modelForm(body.schema) }),
    responses: mapValues(responses, ({ schema }) => (schema ? modelForm(schema) : null)),
  };
}

function commonForm({ operationId, tags, parameters, 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvk }: Operation): object {
  return {
    id: operationId,
    tags,
    ...(action && { action }),
    ...(gvk && { gvk: `${gvk.group}/${gvk.version}/${gvk.kind}` }),
    ...(parameters && { parameters: parameters.map(parameterForm) }),
  };
}

function parameterForm({ $ref, in: place, name, required }: Parameter): string {
  return $ref === undefined ? `${place}:${name}${required ? '!' : ''}` : lastPart($ref);
}

function parameterDefinitionForm({ description: _description, ...rest }: Schema): object {
  return rest;
}

function modelForm(schema: Schema): unknown {
  return schema.$ref === undefined ? schema : lastPart(schema.$ref);
}

function schemaForm({ description: _description, $ref, allOf, properties, items, additionalProperties, ...rest }: Schema): object {
  const reference = $ref ?? allOf?.[0]?.$ref;
  return {
    ...rest,
    ...(reference && { ref: lastPart(reference) }),
    ...(properties && { properties: mapValues(properties, schemaForm) }),
    ...(items && { items: schemaForm(items) }),
    ...(additionalProperties && { additionalProperties: schemaForm(additionalProperties) }),
  };
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function differingPaths(ours: unknown, theirs: unknown, path: string): string[] {
  if (isObject(ours) && isObject(theirs)) {
    const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
    return keys.flatMap((key) => differingPaths(ours[key], theirs[key], `${path} ${key}`));
  }
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
    return ours.flatMap((item, index) => differingPaths(item, theirs[index], `${path} ${index}`));
  }
  return ours === theirs ? [] : [`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// OpenAPI 3 of a server that only has Swagger 2.0, as kube-openapi converts it: what the older form cannot say is missing.
import type { JsonObject, Swagger } from '#server/openapi/merge-swagger.ts';

type Json = Record<string, unknown>;

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const kept = ['description', 'externalDocs', 'tags', 'summary', 'deprecated', 'operationId'];

export function openApi3Of(document: Swagger): JsonObject {
  const { info, externalDocs, paths, definitions, securityDefinitions, responses, produces } = document;
  const components = {
    ...(definitions && { schemas: mapped(definitions, schemaOf) }),
    ...(securityDefinitions !== undefined && { securitySchemes: mapped(securityDefinitions as JsonObject, securitySchemeOf) }),
    ...(responses !== undefined && { responses: mapped(responses as JsonObject, (response) => responseOf(response, textsOf(produces))) }),
  };
  return {
    openapi: '3.0.0',
    info,
    ...(paths && { paths: mapped(paths, pathItemOf) }),
    components,
    ...(externalDocs !== undefined && { externalDocs }),
  };
}

function mapped(entries: JsonObject, change: (value: JsonObject) => unknown): Json {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, change(value as JsonObject)]));
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function extensionsOf(value: JsonObject): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key.startsWith('x-')));
}

function pathItemOf(item: JsonObject): Json {
  const operations = methods.filter((method) => item[method] !== undefined).map((method) => [method, operationOf(item[method] as JsonObject)]);
  const parameters = parametersOf(item).map(parameterOf);
  return { ...extensionsOf(item), ...Object.fromEntries(operations), ...(parameters.length > 0 && { parameters }) };
}

function parametersOf({ parameters }: JsonObject): readonly JsonObject[] {
  return Array.isArray(parameters) ? (parameters as readonly JsonObject[]) : [];
}

function operationOf(operation: JsonObject): Json {
  const all = parametersOf(operation);
  const isBody = ({ name, schema }: JsonObject) => name === 'body' && schema !== undefined;
  const body = all.findLast(isBody);
  const parameters = all.filter((each) => !isBody(each)).map(parameterOf);
  const produced = textsOf(operation['produces']);
  return {
    ...Object.fromEntries(kept.filter((key) => operation[key] !== undefined).map((key) => [key, operation[key]])),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: contentOf(body['schema'] as JsonObject, textsOf(operation['consumes'])) }),
    responses: mapped((operation['responses'] ?? {}) as JsonObject, (response) => responseOf(response, produced)),
    ...extensionsOf(operation),
  };
}

function contentOf(schema: JsonObject, mediaTypes: readonly string[] | undefined): Json {
  return mediaTypes === undefined ? {} : { content: Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(schema) }])) };
}

function responseOf(response: JsonObject, produces: readonly string[] | undefined): Json {
  const { $ref, description, schema } = response;
  return {
    ...extensionsOf(response),
    ...(typeof $ref === 'string' && { $ref: $ref.replace('#/responses/', '#/components/responses/') }),
    ...(description !== undefined && { description }),
    ...(schema !== undefined && contentOf(schema as JsonObject, produces)),
  };
}

function parameterOf(parameter: JsonObject): Json {
  const { $ref, name, description, in: place, required, allowEmptyValue, schema, type, format, uniqueItems } = parameter;
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/parameters/', '#/components/parameters/') };
  const simple = { ...(type !== undefined && { type }), ...(format !== undefined && { format }), ...(uniqueItems === true && { uniqueItems }) };
  return {
    ...extensionsOf(parameter),
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...(required === true && { required }),
    ...(allowEmptyValue === true && { allowEmptyValue }),
    schema: schema === undefined ? simple : schemaOf(schema as JsonObject),
  };
}

function securitySchemeOf(scheme: JsonObject): Json {
  const { type, description, name, in: place, flow, authorizationUrl, tokenUrl, scopes } = scheme;
  const flows = { [String(flow)]: { authorizationUrl, tokenUrl, scopes } };
  return { ...extensionsOf(scheme), type, ...(description !== undefined && { description }), name, in: place, ...(flow !== undefined && { flows }) };
}

/** A reference with anything beside it is wrapped: OpenAPI 3 ignores what stands beside one. */
function schemaOf(schema: JsonObject): Json {
  const { $ref, properties, items, additionalProperties, additionalItems, ...rest } = schema;
  const inner = {
    ...rest,
    ...(properties !== undefined && { properties: mapped(properties as JsonObject, schemaOf) }),
    ...(items !== undefined && { items: Array.isArray(items) ? items.map(schemaOf) : schemaOf(items as JsonObject) }),
    ...(additionalProperties !== undefined && { additionalProperties: orBoolean(additionalProperties) }),
    ...(additionalItems !== undefined && { additionalItems: orBoolean(additionalItems) }),
  };
  if (typeof $ref !== 'string') return inner;
  const reference = { $ref: $ref.replace(/^.*#\/definitions\//, '#/components/schemas/') };
  return Object.keys(inner).length === 0 ? reference : { ...inner, allOf: [reference] };
}

function orBoolean(value: unknown): unknown {
  return typeof value === 'boolean' ? value : schemaOf(value as JsonObject);
}

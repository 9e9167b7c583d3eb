// Operations as the `paths` of a document. What all operations of a path take is said once, for the path.
import { compareText, type OpenApiSchema, refTo } from '#schema/openapi.ts';
import type { Method, Model, Operation, Parameter } from '#server/openapi/operation.ts';

const methodOrder: readonly Method[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

const responseTexts: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

/** `paths` of an OpenAPI 3 document, one by one in their order. */
export function* pathItems3(operations: readonly Operation[]): Generator<readonly [path: string, item: OpenApiSchema]> {
  for (const [path, found] of byPath(operations)) yield [path, pathItem(found, operation3, parameter3)];
}

/** `paths` of a Swagger document; the parameters they refer to go into `shared`. */
export function* pathItems2(operations: readonly Operation[], shared: Map<string, OpenApiSchema>): Generator<readonly [path: string, item: OpenApiSchema]> {
  const parameter = (written: Parameter): OpenApiSchema => sharedOrInPlace(written.shared, parameter2(written), shared);
  const operation: Writer = (written, own) => operation2(written, own, shared);
  for (const [path, found] of byPath(operations)) yield [path, pathItem(found, operation, parameter)];
}

type Writer = (operation: Operation, own: readonly OpenApiSchema[]) => OpenApiSchema;

function byPath(operations: readonly Operation[]): [string, Operation[]][] {
  const found = new Map<string, Operation[]>();
  for (const operation of operations) found.set(operation.path, [...(found.get(operation.path) ?? []), operation]);
  return [...found].sort(([a], [b]) => compareText(a, b));
}

function pathItem(operations: readonly Operation[], write: Writer, writeParameter: (parameter: Parameter) => OpenApiSchema): OpenApiSchema {
  const isCommon = (parameter: Parameter): boolean => operations.every(({ parameters }) => parameters.some((other) => sameParameter(parameter, other)));
  const common = sortedParameters(operations.at(-1)?.parameters.filter(isCommon) ?? []);
  const inOrder = [...operations].sort((a, b) => methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method));
  const written = inOrder.map((operation) => {
    const own = sortedParameters(operation.parameters.filter((parameter) => !isCommon(parameter)));
    return [operation.method, write(operation, own.map(writeParameter))];
  });
  return { ...Object.fromEntries(written), ...(common.length > 0 && { parameters: common.map(writeParameter) }) };
}

function sameParameter(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

function sortedParameters(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((a, b) => compareText(a.name, b.name) || compareText(a.in, b.in));
}

function operation3(operation: Operation, own: readonly OpenApiSchema[]): OpenApiSchema {
  const { tag, description, id, body, consumes } = operation;
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(own.length > 0 && { parameters: own }),
    ...(body !== undefined && { requestBody: { content: contentOf(consumes, body.model), ...(body.required && { required: true }) } }),
    responses: responsesOf(operation, (model) => ({ content: contentOf(operation.produces, model) })),
    ...extensionsOf(operation),
  };
}

function parameter3({ name, in: place, type, description }: Parameter): OpenApiSchema {
  return { name, in: place, description, ...(place === 'path' && { required: true }), schema: { type, uniqueItems: true } };
}

function contentOf(mediaTypes: readonly string[], model: Model | 'string'): OpenApiSchema {
  const schema = schemaOf(model, 3);
  return Object.fromEntries([...mediaTypes].sort(compareText).map((mediaType) => [mediaType, { schema }]));
}

function operation2(operation: Operation, own: readonly OpenApiSchema[], shared: Map<string, OpenApiSchema>): OpenApiSchema {
  const { tag, description, id, body, consumes, produces } = operation;
  const parameters = [...(body === undefined ? [] : [bodyParameter(body, shared)]), ...own];
  return {
    description,
    ...(consumes.length > 0 && { consumes }),
    ...(produces.length > 0 && { produces }),
    schemes: ['https'],
    tags: [tag],
    operationId: id,
    ...(parameters.length > 0 && { parameters }),
    responses: responsesOf(operation, (model) => ({ schema: schemaOf(model, 2) })),
    ...extensionsOf(operation),
  };
}

function parameter2({ name, in: place, type, description }: Parameter): OpenApiSchema {
  return { uniqueItems: true, type, description, name, in: place, ...(place === 'path' && { required: true }) };
}

const sharedBodies: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions': 'body-2Y1dVQaQ',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Patch': 'body-78PwaGsr',
};

function bodyParameter({ model, required }: NonNullable<Operation['body']>, shared: Map<string, OpenApiSchema>): OpenApiSchema {
  const written = { name: 'body', in: 'body', ...(required && { required: true }), schema: schemaOf(model, 2) };
  return sharedOrInPlace(sharedBodies[model.name], written, shared);
}

function sharedOrInPlace(name: string | undefined, written: OpenApiSchema, shared: Map<string, OpenApiSchema>): OpenApiSchema {
  if (name === undefined) return written;
  shared.set(name, written);
  return { $ref: `#/parameters/${name}` };
}

function responsesOf({ responses }: Operation, body: (model: Model | 'string') => OpenApiSchema): OpenApiSchema {
  const given = Object.entries(responses).map(([code, model]) => [code, { description: responseTexts[code], ...body(model) }]);
  return { ...Object.fromEntries(given), 401: { description: 'Unauthorized' } };
}

function schemaOf(model: Model | 'string', version: 2 | 3): OpenApiSchema {
  return model === 'string' ? { type: 'string' } : { $ref: refTo(model.name, version) };
}

function extensionsOf({ action, gvk }: Operation): OpenApiSchema {
  return {
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(gvk !== undefined && { 'x-kubernetes-group-version-kind': { group: gvk.group, kind: gvk.kind, version: gvk.version } }),
  };
}

// The messages of gnostic's openapi.v3, as far as our documents use them.
import { any, bool, choice, double, type FieldShape, int64, listOf, message, named, type Shape, string, strings } from '#server/openapi/protobuf-shape.ts';

const reference = message(() => ({ $ref: [1, string] }));

function orReference(shape: Shape): Shape {
  return choice((value): FieldShape => ((value as { $ref?: unknown }).$ref === undefined ? [1, shape] : [2, reference]));
}

const schema: Shape = message(
  () => ({
    nullable: [1, bool],
    externalDocs: [6, message(() => ({ description: [1, string], url: [2, string] }))],
    example: [7, any],
    title: [9, string],
    multipleOf: [10, double],
    maximum: [11, double],
    exclusiveMaximum: [12, bool],
    minimum: [13, double],
    exclusiveMinimum: [14, bool],
    maxLength: [15, int64],
    minLength: [16, int64],
    pattern: [17, string],
    maxItems: [18, int64],
    minItems: [19, int64],
    uniqueItems: [20, bool],
    maxProperties: [21, int64],
    minProperties: [22, int64],
    required: [23, strings],
    enum: [24, listOf(any)],
    type: [25, string],
    allOf: [26, listOf(schemaOrReference)],
    oneOf: [27, listOf(schemaOrReference)],
    anyOf: [28, listOf(schemaOrReference)],
    not: [29, schema],
    items: [30, choice(() => [1, schemaOrReference])],
    properties: [31, named(1, schemaOrReference)],
    additionalProperties: [32, choice((value) => (typeof value === 'boolean' ? [2, bool] : [1, schemaOrReference]))],
    default: [33, defaultType],
    description: [34, string],
    format: [35, string],
  }),
  36,
);
const schemaOrReference = orReference(schema);

/** Objects and lists have no place in it and leave it empty. */
const defaultType = choice((value): FieldShape | undefined => {
  if (typeof value === 'number') return [1, double];
  if (typeof value === 'boolean') return [2, bool];
  return typeof value === 'string' ? [3, string] : undefined;
});

const mediaTypes = named(
  1,
  message(() => ({ schema: [1, schemaOrReference] }), 5),
);

const parameter = message(() => ({ name: [1, string], in: [2, string], description: [3, string], required: [4, bool], schema: [10, schemaOrReference] }), 14);

const requestBody = message(() => ({ description: [1, string], content: [2, mediaTypes], required: [3, bool] }), 4);
const response = message(() => ({ description: [1, string], content: [3, mediaTypes] }), 5);

const operation = message(
  () => ({
    tags: [1, strings],
    description: [3, string],
    operationId: [5, string],
    parameters: [6, listOf(orReference(parameter))],
    requestBody: [7, orReference(requestBody)],
    responses: [8, named(2, orReference(response))],
    deprecated: [10, bool],
  }),
  13,
);

const pathItem = message(
  () => ({
    get: [4, operation],
    put: [5, operation],
    post: [6, operation],
    delete: [7, operation],
    options: [8, operation],
    head: [9, operation],
    patch: [10, operation],
    parameters: [13, listOf(orReference(parameter))],
  }),
  14,
);

const securityScheme = message(() => ({ type: [1, string], description: [2, string], name: [3, string], in: [4, string] }), 9);

/** `openapi.v3.Document`. */
export const documentShape3: Shape = message(
  () => ({
    openapi: [1, string],
    info: [2, message(() => ({ title: [1, string], description: [2, string], version: [6, string] }), 7)],
    paths: [4, named(1, pathItem)],
    components: [5, message(() => ({ schemas: [1, named(1, schemaOrReference)], securitySchemes: [7, named(1, orReference(securityScheme))] }), 10)],
  }),
  9,
);

// The messages of gnostic's openapi.v2, as far as our document uses them.
import { any, bool, choice, double, type FieldShape, int64, listOf, message, named, type Shape, string, strings } from '#server/openapi/protobuf-shape.ts';

const schema: Shape = message(
  () => ({
    $ref: [1, string],
    format: [2, string],
    title: [3, string],
    description: [4, string],
    default: [5, any],
    multipleOf: [6, double],
    maximum: [7, double],
    exclusiveMaximum: [8, bool],
    minimum: [9, double],
    exclusiveMinimum: [10, bool],
    maxLength: [11, int64],
    minLength: [12, int64],
    pattern: [13, string],
    maxItems: [14, int64],
    minItems: [15, int64],
    uniqueItems: [16, bool],
    maxProperties: [17, int64],
    minProperties: [18, int64],
    required: [19, strings],
    enum: [20, listOf(any)],
    additionalProperties: [21, choice((value) => (typeof value === 'boolean' ? [2, bool] : [1, schema]))],
    type: [22, choice(() => [1, string])],
    items: [23, choice(() => [1, schema])],
    allOf: [24, listOf(schema)],
    properties: [25, named(1, schema)],
    externalDocs: [29, message(() => ({ description: [1, string], url: [2, string] }))],
    example: [30, any],
  }),
  31,
);

const bodyParameter = message(() => ({ description: [1, string], name: [2, string], in: [3, string], required: [4, bool], schema: [5, schema] }), 6);
const queryParameter = message(
  () => ({
    required: [1, bool],
    in: [2, string],
    description: [3, string],
    name: [4, string],
    type: [6, string],
    format: [7, string],
    uniqueItems: [20, bool],
  }),
  23,
);
const pathParameter = message(
  () => ({
    required: [1, bool],
    in: [2, string],
    description: [3, string],
    name: [4, string],
    type: [5, string],
    format: [6, string],
    uniqueItems: [19, bool],
  }),
  22,
);

const nonBodyParameter = choice((value): FieldShape => ((value as { in?: unknown }).in === 'path' ? [4, pathParameter] : [3, queryParameter]));
const parameter = choice((value): FieldShape => ((value as { in?: unknown }).in === 'body' ? [1, bodyParameter] : [2, nonBodyParameter]));
const jsonReference = message(() => ({ $ref: [1, string], description: [2, string] }));
const parameters = listOf(choice((value): FieldShape => ((value as { $ref?: unknown }).$ref === undefined ? [1, parameter] : [2, jsonReference])));

const response = message(() => ({ description: [1, string], schema: [2, choice(() => [1, schema])] }), 5);

const operation = message(
  () => ({
    tags: [1, strings],
    description: [3, string],
    operationId: [5, string],
    produces: [6, strings],
    consumes: [7, strings],
    parameters: [8, parameters],
    responses: [
      9,
      named(
        1,
        choice(() => [1, response]),
      ),
    ],
    schemes: [10, strings],
    deprecated: [11, bool],
  }),
  13,
);

const pathItem = message(
  () => ({
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    options: [6, operation],
    head: [7, operation],
    patch: [8, operation],
    parameters: [9, parameters],
  }),
  10,
);

const apiKeySecurity = message(() => ({ type: [1, string], name: [2, string], in: [3, string], description: [4, string] }), 5);

/** `openapi.v2.Document`. */
export const documentShape2: Shape = message(
  () => ({
    swagger: [1, string],
    info: [2, message(() => ({ title: [1, string], version: [2, string], description: [3, string] }), 7)],
    paths: [8, named(2, pathItem)],
    definitions: [9, named(1, schema)],
    parameters: [10, named(1, parameter)],
    security: [
      12,
      listOf(
        named(
          1,
          message(() => ({ value: [1, strings] })),
        ),
      ),
    ],
    securityDefinitions: [
      13,
      named(
        1,
        choice(() => [2, apiKeySecurity]),
      ),
    ],
  }),
  16,
);

import { describe, expect, test } from 'vitest';
import { openApi3Of } from '#server/openapi/swagger-to-openapi3.ts';

const info = { title: 't', version: '1' };
const reference = { $ref: '#/components/schemas/A' };

function converted(document: object): Record<string, unknown> {
  return openApi3Of({ swagger: '2.0', info, ...document }) as Record<string, unknown>;
}

/** The only operation of a document with one path. */
function operation(given: object): unknown {
  const { paths } = converted({ paths: { '/a': { post: given } } }) as { paths: Record<string, { post: unknown }> };
  return paths['/a']?.post;
}

describe('schemas', () => {
  const schemaOf = (schema: object) => (converted({ definitions: { S: schema } })['components'] as { schemas: Record<string, unknown> }).schemas['S'];

  test.each([
    ['a reference', { $ref: '#/definitions/A' }, reference],
    ['a reference with something beside it', { $ref: '#/definitions/A', description: 'd' }, { description: 'd', allOf: [reference] }],
    ['properties', { properties: { a: { $ref: '#/definitions/A' } } }, { properties: { a: reference } }],
    ['items', { type: 'array', items: { $ref: '#/definitions/A' } }, { type: 'array', items: reference }],
    ['values of a map', { additionalProperties: { $ref: '#/definitions/A' } }, { additionalProperties: reference }],
    ['any values of a map', { additionalProperties: true }, { additionalProperties: true }],
    ['extensions', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  ])('%s', (_what, given, wanted) => {
    expect(schemaOf(given)).toEqual(wanted);
  });
});

describe('operations', () => {
  test('have the body apart from the other parameters, for every media type they take', () => {
    const body = { name: 'body', in: 'body', schema: { $ref: '#/definitions/A' } };
    const given = {
      operationId: 'o',
      consumes: ['application/json', '*/*'],
      parameters: [body, { name: 'q', in: 'query', type: 'string', uniqueItems: true }],
    };
    expect(operation(given)).toEqual({
      operationId: 'o',
      parameters: [{ name: 'q', in: 'query', schema: { type: 'string', uniqueItems: true } }],
      requestBody: { content: { 'application/json': { schema: reference }, '*/*': { schema: reference } } },
      responses: {},
    });
  });

  test('answer with the media types they produce, and keep extensions', () => {
    const responses = { 200: { description: 'OK', schema: { $ref: '#/definitions/A' } }, 401: { description: 'no' }, default: { $ref: '#/responses/r' } };
    expect(operation({ produces: ['application/json'], responses, 'x-kubernetes-action': 'post' })).toEqual({
      responses: {
        200: { description: 'OK', content: { 'application/json': { schema: reference } } },
        401: { description: 'no' },
        default: { $ref: '#/components/responses/r' },
      },
      'x-kubernetes-action': 'post',
    });
  });
});

test('parameters of a path stay there, and references to shared ones lead to the components', () => {
  const parameters = [{ name: 'n', in: 'path', required: true, type: 'string', description: 'd' }, { $ref: '#/parameters/p' }];
  expect(converted({ paths: { '/a/{n}': { parameters } } })['paths']).toEqual({
    '/a/{n}': { parameters: [{ name: 'n', in: 'path', required: true, description: 'd', schema: { type: 'string' } }, { $ref: '#/components/parameters/p' }] },
  });
});

test('what a document says of itself is kept', () => {
  const securityDefinitions = { token: { type: 'apiKey', name: 'authorization', in: 'header' } };
  expect(converted({ externalDocs: { url: 'u' }, securityDefinitions })).toEqual({
    openapi: '3.0.0',
    info,
    components: { securitySchemes: securityDefinitions },
    externalDocs: { url: 'u' },
  });
});

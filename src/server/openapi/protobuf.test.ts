// Read back with another implementation of protobuf, from a description of the messages written for the test.
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { toProtobuf } from '#server/openapi/protobuf-shape.ts';
import { documentShape2 } from '#server/openapi/protobuf-v2.ts';
import { documentShape3 } from '#server/openapi/protobuf-v3.ts';

const messages3 = `syntax = "proto3";
message Any { string yaml = 2; }
message NamedAny { string name = 1; Any value = 2; }
message Info { string title = 1; string version = 6; }
message Reference { string _ref = 1; }
message Items { repeated SchemaOrReference schema = 1; }
message Default { oneof oneof { double number = 1; bool boolean = 2; string string = 3; } }
message Additional { oneof oneof { SchemaOrReference schema = 1; bool boolean = 2; } }
message Schema {
  double minimum = 13; repeated string required = 23; repeated Any enum = 24; string type = 25; repeated SchemaOrReference all_of = 26;
  Items items = 30; Properties properties = 31; Additional additional_properties = 32; Default default = 33; string description = 34;
  repeated NamedAny extension = 36;
}
message SchemaOrReference { oneof oneof { Schema schema = 1; Reference reference = 2; } }
message NamedSchema { string name = 1; SchemaOrReference value = 2; }
message Properties { repeated NamedSchema additional_properties = 1; }
message Schemas { repeated NamedSchema additional_properties = 1; }
message Components { Schemas schemas = 1; }
message Operation { repeated string tags = 1; string operation_id = 5; repeated NamedAny extension = 13; }
message PathItem { Operation get = 4; }
message NamedPathItem { string name = 1; PathItem value = 2; }
message Paths { repeated NamedPathItem path = 1; }
message Document { string openapi = 1; Info info = 2; Paths paths = 4; Components components = 5; }`;

const messages2 = `syntax = "proto3";
message Type { repeated string value = 1; }
message Schema { string _ref = 1; Type type = 22; }
message NamedSchema { string name = 1; Schema value = 2; }
message Definitions { repeated NamedSchema additional_properties = 1; }
message Query { bool required = 1; string in = 2; string name = 4; string type = 6; bool unique_items = 20; }
message Path { bool required = 1; string in = 2; string name = 4; string type = 5; bool unique_items = 19; }
message Body { string name = 2; string in = 3; bool required = 4; Schema schema = 5; }
message NonBody { oneof oneof { Query query = 3; Path path = 4; } }
message Parameter { oneof oneof { Body body = 1; NonBody non_body = 2; } }
message Reference { string _ref = 1; }
message Item { oneof oneof { Parameter parameter = 1; Reference reference = 2; } }
message PathItem { repeated Item parameters = 9; }
message NamedPathItem { string name = 1; PathItem value = 2; }
message Paths { repeated NamedPathItem path = 2; }
message Document { string swagger = 1; Paths paths = 8; Definitions definitions = 9; }`;

function decode(messages: string, bytes: Uint8Array): unknown {
  const type = protobuf.parse(messages, { keepCase: true }).root.lookupType('Document');
  return type.decode(bytes).toJSON();
}

describe('protobuf of OpenAPI 3', () => {
  const document = {
    openapi: '3.0.0',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { tags: ['t'], operationId: 'readA', 'x-kubernetes-group-version-kind': { group: '', kind: 'A', version: 'v1' } } } },
    components: {
      schemas: {
        A: {
          description: 'An A.',
          type: 'object',
          required: ['n'],
          properties: {
            n: { type: 'integer', default: 0, minimum: 0 },
            s: { type: 'string', default: '', enum: ['*', 'B'] },
            r: { default: {}, allOf: [{ $ref: '#/r' }] },
            l: { type: 'array', items: { $ref: '#/r' }, 'x-kubernetes-list-map-keys': ['k'] },
            m: { type: 'object', additionalProperties: true },
          },
        },
      },
    },
  };

  it('has every part under its number', async () => {
    expect(decode(messages3, await toProtobuf(document, documentShape3))).toEqual({
      openapi: '3.0.0',
      info: { title: 'T', version: '1' },
      paths: {
        path: [
          {
            name: '/a',
            value: {
              get: {
                tags: ['t'],
                operation_id: 'readA',
                extension: [{ name: 'x-kubernetes-group-version-kind', value: { yaml: 'group: ""\nkind: A\nversion: v1\n' } }],
              },
            },
          },
        ],
      },
      components: {
        schemas: {
          additional_properties: [
            {
              name: 'A',
              value: {
                schema: {
                  description: 'An A.',
                  type: 'object',
                  required: ['n'],
                  properties: {
                    additional_properties: [
                      { name: 'n', value: { schema: { type: 'integer', default: { number: 0 } } } },
                      { name: 's', value: { schema: { type: 'string', default: { string: '' }, enum: [{ yaml: "'*'\n" }, { yaml: 'B\n' }] } } },
                      { name: 'r', value: { schema: { default: {}, all_of: [{ reference: { _ref: '#/r' } }] } } },
                      {
                        name: 'l',
                        value: {
                          schema: {
                            type: 'array',
                            items: { schema: [{ reference: { _ref: '#/r' } }] },
                            extension: [{ name: 'x-kubernetes-list-map-keys', value: { yaml: '- k\n' } }],
                          },
                        },
                      },
                      { name: 'm', value: { schema: { type: 'object', additional_properties: { boolean: true } } } },
                    ],
                  },
                },
              },
            },
          ],
        },
      },
    });
  });

  it('grows with the document and does not depend on the turns it is written in', async () => {
    const schemas = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`S${index}`, { type: 'string', description: 'é'.repeat(20_000) }]));
    const { components } = decode(messages3, await toProtobuf({ components: { schemas } }, documentShape3)) as {
      components: { schemas: { additional_properties: { name: string; value: { schema: { description: string } } }[] } };
    };
    const read = components.schemas.additional_properties;
    expect(read.map(({ name }) => name)).toEqual(Object.keys(schemas));
    expect(read.every(({ value }) => value.schema.description.length === 20_000)).toBe(true);
  });
});

describe('protobuf of Swagger', () => {
  it('tells the places of parameters apart', async () => {
    const parameters = [
      { name: 'q', in: 'query', type: 'string', uniqueItems: true },
      { name: 'p', in: 'path', type: 'string', required: true },
      { name: 'body', in: 'body', required: true, schema: { $ref: '#/b' } },
      { $ref: '#/parameters/x' },
    ];
    const document = { swagger: '2.0', paths: { '/a': { parameters } }, definitions: { A: { type: 'object' } } };
    expect(decode(messages2, await toProtobuf(document, documentShape2))).toEqual({
      swagger: '2.0',
      paths: {
        path: [
          {
            name: '/a',
            value: {
              parameters: [
                { parameter: { non_body: { query: { in: 'query', name: 'q', type: 'string', unique_items: true } } } },
                { parameter: { non_body: { path: { required: true, in: 'path', name: 'p', type: 'string' } } } },
                { parameter: { body: { name: 'body', in: 'body', required: true, schema: { _ref: '#/b' } } } },
                { reference: { _ref: '#/parameters/x' } },
              ],
            },
          },
        ],
      },
      definitions: { additional_properties: [{ name: 'A', value: { type: { value: ['object'] } } }] },
    });
  });
});

import { expect, test } from 'vitest';
import { CustomResourceDefinitionStatus } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { customresourcedefinitions } from '#kinds/apiextensions/v1/custom-resource-definition-resource.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const schema = 'spec.versions.0.schema.openAPIV3Schema';
const valid = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { color: { type: 'string', default: 'red' }, list: { type: 'array', items: { type: 'string' } } } },
            },
          },
        },
        additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
        selectableFields: [{ jsonPath: '.spec.color' }],
      },
    ],
  },
};
const top = 'spec.validation.openAPIV3Schema';

describeRefusals('custom resource definitions', customresourcedefinitions, valid, [
  ['another scope', { 'spec.scope': 'Bogus' }, 'spec.scope: Unsupported value: "Bogus": supported values: "Cluster", "Namespaced"'],
  ['another name', { 'metadata.name': 'others.example.com' }, 'metadata.name: Invalid value: "others.example.com": must be spec.names.plural+"."+spec.group'],
  [
    'a property without type',
    { [`${schema}.properties.spec.properties.list`]: {} },
    `${top}.properties[spec].properties[list].type: Required value: must not be empty for specified object fields`,
  ],
  [
    'an array without items',
    { [`${schema}.properties.spec.properties.list.items`]: undefined },
    `${top}.properties[spec].properties[list].items: Required value: must be specified`,
  ],
  [
    'a type inside a junctor',
    { [`${schema}.properties.spec.allOf`]: [{ type: 'object' }] },
    `${top}.properties[spec].allOf[0].type: Forbidden: must be empty to be structural`,
  ],
  [
    'unique items',
    { [`${schema}.properties.spec.properties.list.uniqueItems`]: true },
    `${top}.properties[spec].properties[list].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
  ],
  [
    'a default of another type',
    { [`${schema}.properties.spec.properties.color.default`]: 5 },
    `${top}.properties[spec].properties[color].default: Invalid value: "integer":  in body must be of type string: "integer"`,
  ],
  [
    'a default with unknown fields and of another type',
    { [`${schema}.properties.spec.properties.color.default`]: { a: 'b' } },
    `${top}.properties[spec].properties[color].default: Invalid value: {"a":"b"}: must not have unknown fields`,
    `${top}.properties[spec].properties[color].default: Invalid value: "object":  in body must be of type string: "object"`,
  ],
  [
    'a column of another type',
    { 'spec.versions.0.additionalPrinterColumns.0.type': 'bogus' },
    'spec.additionalPrinterColumns[0].type: Invalid value: "bogus": must be one of boolean,date,integer,number,string',
  ],
  [
    'a selectable field that is not there',
    { 'spec.versions.0.selectableFields.0.jsonPath': '.spec.nope' },
    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.nope": is an invalid path: does not refer to a valid field',
  ],
]);

test('a status without any condition says so, and is not one whose conditions nobody knows', () => {
  const written = (status: object) => encodeJson(CustomResourceDefinitionStatus, decodeValue(CustomResourceDefinitionStatus, status).object);
  expect(written({ conditions: [] })).toMatch(/^\{"conditions":\[\],/);
  expect(written({})).toMatch(/^\{"conditions":null,/);
});

import { customresourcedefinitions } from '#kinds/apiextensions/v1/custom-resource-definition-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';
import { schemaPath as root, versionPath as version, specPath as spec, sampleDefinition as definition } from '../../../../test/support/sample-definition.ts';

describeRefusals('schemas of definitions', customresourcedefinitions, definition, [
  [
    'an unknown type',
    { [`${spec}.properties.a`]: { type: 'text' } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  [
    'the type of nothing',
    { [`${spec}.properties.a`]: { type: 'null' } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Forbidden: type cannot be set to null, use nullable as an alternative',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"',
  ],
  [
    'keywords that are not supported',
    {
      [`${spec}.properties.a`]: {
        type: 'string',
        id: 'x',
        additionalItems: true,
        patternProperties: { a: { type: 'string' } },
        definitions: { a: { type: 'string' } },
        dependencies: { a: ['b'] },
        $ref: '#/a',
      },
    },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].$ref: Forbidden: $ref is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].additionalItems: Forbidden: additionalItems is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].definitions: Forbidden: definitions is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].dependencies: Forbidden: dependencies is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].id: Forbidden: id is not supported',
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].patternProperties: Forbidden: patternProperties is not supported',
  ],
  [
    'dependencies, even none of them',
    { [`${spec}.properties.a`]: { type: 'string', dependencies: {}, definitions: {} } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].dependencies: Forbidden: dependencies is not supported',
  ],
  [
    'several schemas for items',
    { [`${spec}.properties.l.items`]: [{ type: 'string' }] },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items: Forbidden: items must be a schema object and not an array',
  ],
  [
    'unique items',
    { [`${spec}.properties.l.uniqueItems`]: true },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
  ],
  [
    'properties and others',
    { [`${spec}.additionalProperties`]: { type: 'string' } },
    'spec.validation.openAPIV3Schema.properties[spec].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
  ],
  [
    'defaults of the object itself',
    { [`${root}.properties.kind`]: { type: 'string', default: 'Thing' }, [`${root}.properties.metadata`]: { type: 'object', default: {} } },
    'spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set in top-level kind',
    'spec.validation.openAPIV3Schema.properties[metadata].default: Forbidden: must not be set in top-level metadata',
  ],
  [
    'an object inside metadata',
    { [`${root}.properties.metadata`]: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true } },
    'spec.validation.openAPIV3Schema.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta',
    'spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified',
  ],
  [
    'no unknown fields, said twice',
    { [`${spec}.x-kubernetes-preserve-unknown-fields`]: false },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
  ],
  [
    'an unknown type of map',
    { [`${spec}.x-kubernetes-map-type`]: 'loose' },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"',
  ],
  [
    'a map that is text',
    { [`${spec}.properties.a.x-kubernetes-map-type`]: 'atomic' },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified',
  ],
  [
    'a map without a type',
    { [`${spec}.properties.m`]: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'atomic' } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[m].type: Required value: must be object if x-kubernetes-map-type is specified',
  ],
  [
    'an unknown type of list',
    { [`${spec}.properties.l.x-kubernetes-list-type`]: 'bag' },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"',
  ],
  [
    'a list that is text',
    { [`${spec}.properties.a.x-kubernetes-list-type`]: 'set' },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Invalid value: "string": must be array if x-kubernetes-list-type is specified',
  ],
  [
    'a list without a type',
    { [`${spec}.properties.m`]: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-list-type': 'atomic' } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[m].type: Required value: must be array if x-kubernetes-list-type is specified',
  ],
  [
    'a set of objects',
    { [`${spec}.properties.l`]: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', properties: { a: { type: 'string' } } } } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set',
  ],
  [
    'a set of sets',
    {
      [`${spec}.properties.l`]: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      },
    },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
  ],
  [
    'keys of a list that is no map',
    { [`${spec}.properties.l.x-kubernetes-list-map-keys`]: ['k'] },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty',
  ],
  [
    'keys of a set',
    { [`${spec}.properties.l.x-kubernetes-list-type`]: 'set', [`${spec}.properties.l.x-kubernetes-list-map-keys`]: ['k'] },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty',
  ],
  [
    'a map of texts without keys',
    { [`${spec}.properties.l.x-kubernetes-list-type`]: 'map' },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type is map',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map',
  ],
  [
    'a map with odd keys',
    {
      [`${spec}.properties.l`]: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'k', 'x', 'o'],
        items: { type: 'object', nullable: true, properties: { k: { type: 'string', nullable: true }, o: { type: 'object' } } },
      },
    },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.properties[o].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items.properties[o].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-list-map-keys: Invalid value: ["k","k","x","o"]: entries must all be names of item properties',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-list-map-keys: Invalid value: ["k","k","x","o"]: must not contain duplicate entries',
  ],
  [
    'a map with items that are nothing',
    { [`${spec}.properties.l`]: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: 'text' } },
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items: Invalid value: {"Schema":null,"JSONSchemas":null}: must only have a single schema if x-kubernetes-list-type is map',
    'spec.validation.openAPIV3Schema.properties[spec].properties[l].items: Required value: must be specified',
  ],
  ['an object that may be nothing', { [`${root}.nullable`]: true }, 'spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root'],
  [
    'a status of something that is no object',
    { [`${version}.subresources`]: { status: {} }, [root]: { type: 'string' } },
    'spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    'spec.validation.openAPIV3Schema.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
  ],
  [
    'a root that says too much for a status',
    { [`${version}.subresources`]: { status: {} }, [`${root}.minProperties`]: 1 },
    'spec.validation.openAPIV3Schema: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":1,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":{"spec":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":{"a":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"string","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null},"l":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"array","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":{"Schema":{"ID":"","Schema":"","Ref":null,"Description":"","Type":"string","Nullable":false,"Format":"","Title":"","Default":null,"Maximum":null,"ExclusiveMaximum":false,"Minimum":null,"ExclusiveMinimum":false,"MaxLength":null,"MinLength":null,"Pattern":"","MaxItems":null,"MinItems":null,"UniqueItems":false,"MultipleOf":null,"Enum":null,"MaxProperties":null,"MinProperties":null,"Required":null,"Items":null,"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null},"JSONSchemas":null},"AllOf":null,"OneOf":null,"AnyOf":null,"Not":null,"Properties":null,"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}},"AdditionalProperties":null,"PatternProperties":null,"Dependencies":null,"AdditionalItems":null,"Definitions":null,"ExternalDocs":null,"Example":null,"XPreserveUnknownFields":null,"XEmbeddedResource":false,"XIntOrString":false,"XListMapKeys":null,"XListType":null,"XMapType":null,"XValidations":null}: only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled',
  ],
  [
    'an empty rule',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: ' ' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Required value: rule is not specified',
  ],
  [
    'a rule with a blank message',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: 'true', message: ' ' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Invalid value: " ": must be non-empty if specified',
  ],
  [
    'a rule with a message of two lines',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: 'true', message: 'a\nb' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
  ],
  [
    'a rule of two lines without a message',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: 'true &&\ntrue' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].message: Required value: message must be specified if rule contains line breaks',
  ],
  [
    'a rule with a blank message expression',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: 'true', messageExpression: ' ' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].messageExpression: Required value: messageExpression must be non-empty if specified',
  ],
  [
    'a rule with an unknown reason',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: 'true', reason: 'Because' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
  ],
  [
    'a rule about a field that is not there',
    { [`${spec}.x-kubernetes-validations`]: [{ rule: 'true', fieldPath: '.b' }] },
    'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath: Invalid value: ".b": must be a valid path',
  ],
  [
    'a pattern that is none',
    { [`${spec}.properties.a.pattern`]: '[' },
    'spec.validation.openAPIV3Schema.properties[spec].properties[a].pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
  ],
]);

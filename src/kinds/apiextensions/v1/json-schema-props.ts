import {
  boolean,
  double,
  type Infer,
  int64,
  json,
  list,
  map,
  optional,
  pointer,
  ref,
  required,
  type Schema,
  string,
  struct,
  type StructSchema,
} from '#schema/build.ts';

/** Written out because the type contains itself, which inference cannot follow. */
export interface JSONSchemaProps {
  id?: string | undefined;
  description?: string | undefined;
  type?: string | undefined;
  format?: string | undefined;
  title?: string | undefined;
  default?: unknown | undefined;
  maximum?: number | undefined;
  exclusiveMaximum?: boolean | undefined;
  minimum?: number | undefined;
  exclusiveMinimum?: boolean | undefined;
  maxLength?: number | undefined;
  minLength?: number | undefined;
  pattern?: string | undefined;
  maxItems?: number | undefined;
  minItems?: number | undefined;
  uniqueItems?: boolean | undefined;
  multipleOf?: number | undefined;
  enum?: unknown[] | undefined;
  maxProperties?: number | undefined;
  minProperties?: number | undefined;
  required?: string[] | undefined;
  items?: JSONSchemaProps | JSONSchemaProps[] | undefined;
  allOf?: JSONSchemaProps[] | undefined;
  oneOf?: JSONSchemaProps[] | undefined;
  anyOf?: JSONSchemaProps[] | undefined;
  not?: JSONSchemaProps | undefined;
  properties?: Record<string, JSONSchemaProps> | undefined;
  additionalProperties?: JSONSchemaProps | boolean | undefined;
  patternProperties?: Record<string, JSONSchemaProps> | undefined;
  dependencies?: Record<string, JSONSchemaProps | string[]> | undefined;
  additionalItems?: JSONSchemaProps | boolean | undefined;
  definitions?: Record<string, JSONSchemaProps> | undefined;
  externalDocs?: ExternalDocumentation | undefined;
  example?: unknown | undefined;
  nullable?: boolean | undefined;
  'x-kubernetes-preserve-unknown-fields'?: boolean | undefined;
  'x-kubernetes-embedded-resource'?: boolean | undefined;
  'x-kubernetes-int-or-string'?: boolean | undefined;
  'x-kubernetes-list-map-keys'?: string[] | undefined;
  'x-kubernetes-list-type'?: string | undefined;
  'x-kubernetes-map-type'?: string | undefined;
  'x-kubernetes-validations'?: ValidationRule[] | undefined;
}

export const JSONSchemaProps: Schema<JSONSchemaProps> & StructSchema = struct(
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
  () => ({
    id: optional(1, string),
    $schema: optional(2, string, { protoName: 'schema', goType: 'v1.JSONSchemaURL' }),
    $ref: pointer(3, string, { protoName: 'ref' }),
    description: optional(4, string),
    type: optional(5, string),
    format: optional(6, string),
    title: optional(7, string),
    default: pointer(8, json),
    maximum: pointer(9, double),
    exclusiveMaximum: optional(10, boolean),
    minimum: pointer(11, double),
    exclusiveMinimum: optional(12, boolean),
    maxLength: pointer(13, int64),
    minLength: pointer(14, int64),
    pattern: optional(15, string),
    maxItems: pointer(16, int64),
    minItems: pointer(17, int64),
    uniqueItems: optional(18, boolean),
    multipleOf: pointer(19, double),
    enum: optional(20, list(json), { merge: 'atomic' }),
    maxProperties: pointer(21, int64),
    minProperties: pointer(22, int64),
    required: optional(23, list(string), { merge: 'atomic' }),
    items: pointer(24, schemaOrArray),
    allOf: optional(25, list(ref<JSONSchemaProps>(JSONSchemaProps)), { merge: 'atomic' }),
    oneOf: optional(26, list(ref<JSONSchemaProps>(JSONSchemaProps)), { merge: 'atomic' }),
    anyOf: optional(27, list(ref<JSONSchemaProps>(JSONSchemaProps)), { merge: 'atomic' }),
    not: pointer(28, ref<JSONSchemaProps>(JSONSchemaProps)),
    properties: optional(29, map(ref<JSONSchemaProps>(JSONSchemaProps))),
    additionalProperties: pointer(30, schemaOrBool),
    patternProperties: optional(31, map(ref<JSONSchemaProps>(JSONSchemaProps))),
    dependencies: optional(32, map(schemaOrStringArray), { goType: 'v1.JSONSchemaDependencies' }),
    additionalItems: pointer(33, schemaOrBool),
    definitions: optional(34, map(ref<JSONSchemaProps>(JSONSchemaProps)), { goType: 'v1.JSONSchemaDefinitions' }),
    externalDocs: pointer(35, ref<ExternalDocumentation>(ExternalDocumentation)),
    example: pointer(36, json),
    nullable: optional(37, boolean),
    'x-kubernetes-preserve-unknown-fields': pointer(38, boolean, { protoName: 'xKubernetesPreserveUnknownFields' }),
    'x-kubernetes-embedded-resource': optional(39, boolean, { protoName: 'xKubernetesEmbeddedResource' }),
    'x-kubernetes-int-or-string': optional(40, boolean, { protoName: 'xKubernetesIntOrString' }),
    'x-kubernetes-list-map-keys': optional(41, list(string), { merge: 'atomic', protoName: 'xKubernetesListMapKeys' }),
    'x-kubernetes-list-type': pointer(42, string, { protoName: 'xKubernetesListType' }),
    'x-kubernetes-map-type': pointer(43, string, { protoName: 'xKubernetesMapType' }),
    'x-kubernetes-validations': optional(44, list(ref<ValidationRule>(ValidationRule)), {
      merge: { keys: ['rule'] },
      patch: { strategy: 'merge', key: 'rule' },
      protoName: 'xKubernetesValidations',
      goType: 'v1.ValidationRules',
    }),
  }),
);
const schemaOrArray: Schema<JSONSchemaProps | JSONSchemaProps[]> = {
  is: 'schemaOrArray',
  name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray',
  of: () => JSONSchemaProps,
};
const schemaOrBool: Schema<JSONSchemaProps | boolean> = {
  is: 'schemaOrBool',
  name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
  of: () => JSONSchemaProps,
};
const schemaOrStringArray: Schema<JSONSchemaProps | string[]> = {
  is: 'schemaOrStringArray',
  name: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray',
  of: () => JSONSchemaProps,
};

export const ExternalDocumentation = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ExternalDocumentation', () => ({
  description: optional(1, string),
  url: optional(2, string),
}));
export interface ExternalDocumentation extends Infer<typeof ExternalDocumentation> {}

export const ValidationRule = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule', () => ({
  rule: required(1, string),
  message: optional(2, string),
  messageExpression: optional(3, string),
  reason: pointer(4, string, {
    enum: ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'],
    goType: 'v1.FieldValueErrorReason',
  }),
  fieldPath: optional(5, string),
  optionalOldSelf: pointer(6, boolean),
}));
export interface ValidationRule extends Infer<typeof ValidationRule> {}

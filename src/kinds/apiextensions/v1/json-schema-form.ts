// Schemas and versions as the original prints them in messages: with the names and the order of its internal types.
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
} from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import type { JSONSchemaProps, ValidationRule } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { isSchema } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { isWithoutMember, wasGivenEmpty } from '#schema/given-empty.ts';

/** Only what is not moved to the top of the definition; that is where equal parts stand internally. */
export function versionForm(version: CustomResourceDefinitionVersion): object {
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated ?? false,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema === undefined ? null : { OpenAPIV3Schema: schemaForm(version.schema.openAPIV3Schema) },
    Subresources: subresourcesForm(version.subresources),
    AdditionalPrinterColumns: version.additionalPrinterColumns?.map(columnForm) ?? null,
    SelectableFields: version.selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath })) ?? null,
  };
}

function subresourcesForm(subresources: CustomResourceSubresources | undefined): object | null {
  if (subresources === undefined) return null;
  const { status, scale } = subresources;
  const shownScale = scale && {
    SpecReplicasPath: scale.specReplicasPath,
    StatusReplicasPath: scale.statusReplicasPath,
    LabelSelectorPath: scale.labelSelectorPath ?? null,
  };
  return { Status: status === undefined ? null : {}, Scale: shownScale ?? null };
}

function columnForm({ name, type, format = '', description = '', priority = 0, jsonPath }: CustomResourceColumnDefinition): object {
  return { Name: name, Type: type, Format: format, Description: description, Priority: priority, JSONPath: jsonPath };
}

type Form = (value: never) => unknown;

const asIs: Form = (value: unknown) => value;
const schemas: Form = (list: readonly JSONSchemaProps[]) => list.map(schemaForm);
const schemasByName: Form = (map: Readonly<Record<string, JSONSchemaProps>>) => mapForm(map, schemaForm);
const dependencies: Form = (map: Readonly<Record<string, JSONSchemaProps | string[]>>) => mapForm(map, dependencyForm);

/** Every keyword in the order of the type, with what stands for it when it is missing and how it is shown otherwise. */
const keywords: readonly (readonly [goName: string, keyword: string, zero: unknown, form: Form])[] = [
  ['ID', 'id', '', asIs],
  ['Schema', '$schema', '', asIs],
  ['Ref', '$ref', null, asIs],
  ['Description', 'description', '', asIs],
  ['Type', 'type', '', asIs],
  ['Nullable', 'nullable', false, asIs],
  ['Format', 'format', '', asIs],
  ['Title', 'title', '', asIs],
  ['Default', 'default', null, asIs],
  ['Maximum', 'maximum', null, asIs],
  ['ExclusiveMaximum', 'exclusiveMaximum', false, asIs],
  ['Minimum', 'minimum', null, asIs],
  ['ExclusiveMinimum', 'exclusiveMinimum', false, asIs],
  ['MaxLength', 'maxLength', null, asIs],
  ['MinLength', 'minLength', null, asIs],
  ['Pattern', 'pattern', '', asIs],
  ['MaxItems', 'maxItems', null, asIs],
  ['MinItems', 'minItems', null, asIs],
  ['UniqueItems', 'uniqueItems', false, asIs],
  ['MultipleOf', 'multipleOf', null, asIs],
  ['Enum', 'enum', null, asIs],
  ['MaxProperties', 'maxProperties', null, asIs],
  ['MinProperties', 'minProperties', null, asIs],
  ['Required', 'required', null, asIs],
  ['Items', 'items', null, itemsForm],
  ['AllOf', 'allOf', null, schemas],
  ['OneOf', 'oneOf', null, schemas],
  ['AnyOf', 'anyOf', null, schemas],
  ['Not', 'not', null, schemaForm],
  ['Properties', 'properties', null, schemasByName],
  ['AdditionalProperties', 'additionalProperties', null, schemaOrBoolForm],
  ['PatternProperties', 'patternProperties', null, schemasByName],
  ['Dependencies', 'dependencies', null, dependencies],
  ['AdditionalItems', 'additionalItems', null, schemaOrBoolForm],
  ['Definitions', 'definitions', null, schemasByName],
  ['ExternalDocs', 'externalDocs', null, (docs: { description?: string; url?: string }) => ({ Description: docs.description ?? '', URL: docs.url ?? '' })],
  ['Example', 'example', null, asIs],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', null, asIs],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', false, asIs],
  ['XIntOrString', 'x-kubernetes-int-or-string', false, asIs],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', null, asIs],
  ['XListType', 'x-kubernetes-list-type', null, asIs],
  ['XMapType', 'x-kubernetes-map-type', null, asIs],
  ['XValidations', 'x-kubernetes-validations', null, (rules: readonly ValidationRule[]) => rules.map(ruleForm)],
];

export function schemaForm(schema: JSONSchemaProps | undefined): object | null {
  if (schema === undefined) return null;
  const given = schema as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    keywords.map(([goName, keyword, zero, form]) => [goName, given[keyword] === undefined ? absent(schema, keyword, zero) : form(given[keyword] as never)]),
  );
}

const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependencies', 'definitions']);

/** A list or a map that was sent empty is shown so. */
function absent(schema: JSONSchemaProps, keyword: string, zero: unknown): unknown {
  if (zero !== null || !wasGivenEmpty(schema, keyword)) return zero;
  return maps.has(keyword) ? {} : [];
}

function mapForm<T>(map: Readonly<Record<string, T>>, form: (value: T) => unknown): object {
  const names = Object.keys(map).toSorted();
  return Object.fromEntries(names.map((name) => [name, form(map[name] as T)]));
}

export function itemsForm(items: JSONSchemaProps | JSONSchemaProps[]): object {
  if (isSchema(items)) return { Schema: schemaForm(items), JSONSchemas: null };
  return { Schema: null, JSONSchemas: isWithoutMember(items) ? null : items.map(schemaForm) };
}

function schemaOrBoolForm(value: JSONSchemaProps | boolean): object {
  return typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: schemaForm(value) };
}

function dependencyForm(value: JSONSchemaProps | string[]): object {
  return Array.isArray(value) ? { Schema: null, Property: value } : { Schema: schemaForm(value), Property: null };
}

export function ruleForm({ rule, message = '', messageExpression = '', reason, fieldPath = '', optionalOldSelf }: ValidationRule): object {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}

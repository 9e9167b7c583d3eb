// Paths that name a field of a definition's schema.
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { additionalOf } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { type FieldPathProblem, findField, type FoundField } from '#schema/field-path.ts';

export function fieldPathProblem(path: string, schema: JSONSchemaProps): string | undefined {
  const found = findSchemaField(path, schema);
  return 'problem' in found ? found.problem : undefined;
}

export function findSchemaField(path: string, root: JSONSchemaProps, allowsBrackets = true): FoundField<JSONSchemaProps> | FieldPathProblem {
  return findField(path, root, memberOf, allowsBrackets);
}

function memberOf(schema: JSONSchemaProps, name: string): JSONSchemaProps | undefined {
  const { properties = {} } = schema;
  if (Object.keys(properties).length === 0) return additionalOf(schema);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

// Every schema inside a schema, however it is reached.
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';

export function someSchema(schema: JSONSchemaProps | undefined, claim: (schema: JSONSchemaProps) => boolean): boolean {
  if (schema === undefined) return false;
  return claim(schema) || childrenOf(schema).some((child) => someSchema(child, claim));
}

function childrenOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties, patternProperties, additionalItems, definitions, dependencies } = schema;
  const maybe = [items, not, additionalProperties, additionalItems, ...Object.values(dependencies ?? {})].flat();
  const maps = [properties, patternProperties, definitions].flatMap((map) => Object.values(map ?? {}));
  return [...maybe.filter(isSchema), ...(allOf ?? []), ...(anyOf ?? []), ...(oneOf ?? []), ...maps];
}

export function isSchema(value: unknown): value is JSONSchemaProps {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one schema of the items; undefined when there is none or a list of them. */
export function itemsOf({ items }: JSONSchemaProps): JSONSchemaProps | undefined {
  return isSchema(items) ? items : undefined;
}

export function additionalOf({ additionalProperties }: JSONSchemaProps): JSONSchemaProps | undefined {
  return isSchema(additionalProperties) ? additionalProperties : undefined;
}

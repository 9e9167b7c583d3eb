// Every schema inside a schema, however it is reached.
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';

type Claim = (schema: JSONSchemaProps) => boolean;

/** Goes through a schema several times for every write of a definition: nothing is allocated on the way. */
export function someSchema(schema: JSONSchemaProps | undefined, claim: Claim): boolean {
  return schema !== undefined && (claim(schema) || someChild(schema, claim));
}

function someChild(schema: JSONSchemaProps, claim: Claim): boolean {
  const { items, allOf, anyOf, oneOf, not, properties, additionalProperties, patternProperties, additionalItems, definitions, dependencies } = schema;
  return (
    someValue(items, claim) ||
    someValue(not, claim) ||
    someValue(additionalProperties, claim) ||
    someValue(additionalItems, claim) ||
    someMember(dependencies, claim) ||
    someValue(allOf, claim) ||
    someValue(anyOf, claim) ||
    someValue(oneOf, claim) ||
    someMember(properties, claim) ||
    someMember(patternProperties, claim) ||
    someMember(definitions, claim)
  );
}

/** A schema, a list of them, or something that is none. */
function someValue(value: unknown, claim: Claim): boolean {
  if (Array.isArray(value)) return value.some((item) => isSchema(item) && someSchema(item, claim));
  return isSchema(value) && someSchema(value, claim);
}

function someMember(members: Readonly<Record<string, unknown>> | undefined, claim: Claim): boolean {
  for (const name in members) if (someValue(members[name], claim)) return true;
  return false;
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

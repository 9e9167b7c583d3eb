// What the rules ask about all parts of a schema, found in one walk: definitions have thousands of parts, and every write asks for most of it.
import type { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { someSchema } from '#kinds/apiextensions/v1/json-schema-walk.ts';
import { stringFormat } from '#schema/structural/string-formats.ts';

export interface SchemaSurvey {
  /** Why the schema cannot be looked at as a structural one at all; undefined when it can. */
  readonly obstacle: string | undefined;
  readonly givesDefaults: boolean;
  /** A default of null is given, but says nothing. */
  readonly statesDefaults: boolean;
  /** Formats that mean nothing to the server, in order. */
  readonly unknownFormats: readonly string[];
  /** Where each pattern stands. */
  readonly patterns: ReadonlyMap<string, readonly JSONSchemaProps[]>;
}

/** Ends with the object that the schema is a part of; schemas of decoded objects do not change. */
const surveys = new WeakMap<JSONSchemaProps, SchemaSurvey>();

export function surveyOf(root: JSONSchemaProps): SchemaSurvey {
  let found = surveys.get(root);
  if (found === undefined) {
    found = survey(root);
    surveys.set(root, found);
  }
  return found;
}

function survey(root: JSONSchemaProps): SchemaSurvey {
  let obstacle: string | undefined;
  let givesDefaults = false;
  let statesDefaults = false;
  const unknownFormats: string[] = [];
  const patterns = new Map<string, JSONSchemaProps[]>();
  someSchema(root, (part) => {
    obstacle ??= obstacleIn(part);
    givesDefaults ||= part.default !== undefined;
    statesDefaults ||= part.default !== undefined && part.default !== null;
    if (part.format && !isKnownFormat(part)) unknownFormats.push(part.format);
    if (part.pattern) addTo(patterns, part.pattern, part);
    return false;
  });
  return { obstacle, givesDefaults, statesDefaults, unknownFormats, patterns };
}

function addTo(patterns: Map<string, JSONSchemaProps[]>, pattern: string, schema: JSONSchemaProps): void {
  const same = patterns.get(pattern);
  if (same === undefined) patterns.set(pattern, [schema]);
  else same.push(schema);
}

function obstacleIn(schema: JSONSchemaProps): string | undefined {
  const fields = schema as Readonly<Record<string, unknown>>;
  for (const key of unsupported) if (fields[key] !== undefined) return `OpenAPIV3Schema '${key === '$schema' ? 'schema' : key}' is not supported`;
  if (Array.isArray(schema.items) && schema.items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (fields['x-kubernetes-preserve-unknown-fields'] === false) return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  return undefined;
}

const unsupported = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'];

function isKnownFormat({ type = '', format = '' }: JSONSchemaProps): boolean {
  if (type === '' || type === 'string') return stringFormat(format) !== undefined;
  if (type === 'integer') return format === 'int32' || format === 'int64';
  return type === 'number' && (format === 'float' || format === 'double');
}

// What the server keeps of a CustomResourceDefinition: everything but its schemas. They are the larger part by far, and are read from the bytes
// of the definition when an object of that version is first used.
import { createHash } from 'node:crypto';
import { findValue, itemsOf, membersOf, pathOf, type Span } from '#base/json-scan.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import type { OpenApiSource } from '#schema/structural/from-openapi.ts';

export interface DefinitionFacts {
  /** Without schemas and managedFields. */
  readonly definition: CustomResourceDefinition & KubernetesObject;
  /** Of the schema of each version: equal ones are compiled once. */
  readonly digests: ReadonlyMap<string, string>;
}

const versionsPath = pathOf('spec.versions');
const schemaPath = pathOf('schema.openAPIV3Schema');
const noSchema: Span = { start: 0, end: 0 };

/** `json` is the definition as it is served. */
export function definitionFacts(json: Buffer): DefinitionFacts {
  const digests = new Map<string, string>();
  const versions = versionSpans(json).map((span) => {
    const version = parseMembers(json, span.start, ['schema']) as unknown as CustomResourceDefinitionVersion;
    const schema = findValue(json, span.start, schemaPath) ?? noSchema;
    digests.set(version.name, createHash('sha256').update(json.subarray(schema.start, schema.end)).digest('base64'));
    return version;
  });
  const definition = parseMembers(json, 0, ['spec', 'metadata']);
  definition['metadata'] = parseAt(json, 'metadata', ['managedFields']);
  definition['spec'] = { ...parseAt(json, 'spec', ['versions']), versions };
  return { definition: definition as unknown as DefinitionFacts['definition'], digests };
}

/** The schema of one version, as its author wrote it; undefined when there is no such version or it has none. */
export function schemaSource(json: Buffer, version: string): OpenApiSource | undefined {
  const span = versionSpans(json).find(({ start }) => parseMembers(json, start, ['schema'])['name'] === version);
  const schema = span && findValue(json, span.start, schemaPath);
  return schema && (parseJson(json.subarray(schema.start, schema.end)).value as OpenApiSource);
}

function versionSpans(json: Buffer): readonly Span[] {
  const versions = findValue(json, 0, versionsPath);
  return versions === undefined ? [] : [...itemsOf(json, versions.start)];
}

function parseAt(json: Buffer, name: string, without: readonly string[]): Record<string, unknown> {
  const span = findValue(json, 0, pathOf(name));
  return span === undefined ? {} : parseMembers(json, span.start, without);
}

function parseMembers(json: Buffer, start: number, without: readonly string[]): Record<string, unknown> {
  const members = [...membersOf(json, start)].filter(({ name }) => !without.includes(name));
  return Object.fromEntries(members.map(({ name, value }) => [name, parse(json, value)]));
}

function parse(json: Buffer, { start, end }: Span): unknown {
  return JSON.parse(json.toString('utf8', start, end));
}

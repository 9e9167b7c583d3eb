// What the server keeps of a CustomResourceDefinition: everything but its schemas. They are the larger part by far, and are read from the bytes
// of the definition when an object of that version is first used.
import { createHash } from 'node:crypto';
import { findValue, pathOf, type Span, skipValue, visitItems, visitMembers } from '#base/json-scan.ts';
import type { KubernetesObject } from '#api/object.ts';
import { cutSchemas } from '#crd/cut-schemas.ts';
import { approvalKey } from '#kinds/apiextensions/v1/api-approval.ts';
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { setMember } from '#schema/clone.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import type { OpenApiSource } from '#schema/structural/from-openapi.ts';

export interface DefinitionFacts {
  /** Without schemas and what else is large. */
  readonly definition: CustomResourceDefinition & KubernetesObject;
  /** Of the schema of each version: equal ones are compiled once. */
  readonly digests: ReadonlyMap<string, string>;
}

/** `json` is the definition as it is served. */
export function definitionFacts(json: Buffer): DefinitionFacts {
  return factsByCutting(json) ?? factsByReading(json);
}

/** Undefined where versions have something else in place of a schema, or schemas could not be told from what is around them. */
function factsByCutting(json: Buffer): DefinitionFacts | undefined {
  const cut = cutSchemas(json);
  if (cut === undefined) return undefined;
  const definition = briefly(cut.value as unknown as DefinitionFacts['definition']);
  const versions = definition.spec.versions ?? [];
  if (versions.some(({ schema }) => schema !== undefined)) return undefined;
  const bytesOf = (span: Span | undefined) => (span === undefined ? json.subarray(0, 0) : json.subarray(span.start, span.end));
  const schemas = new Map(versions.map(({ name }, index) => [String(name), bytesOf(cut.schemas[index])]));
  return { definition, digests: digestsOf(definition, schemas) };
}

/** One pass over all of it. */
function factsByReading(json: Buffer): DefinitionFacts {
  const schemas = new Map<string, Buffer>();
  const { value } = objectAt(json, 0, {
    metadata: (at) => objectAt(json, at, { managedFields: leftOut(json) }),
    spec: (at) => objectAt(json, at, { versions: (list) => versionsAt(json, list, schemas) }),
  });
  const definition = briefly(value as unknown as DefinitionFacts['definition']);
  return { definition, digests: digestsOf(definition, schemas) };
}

function briefly(definition: DefinitionFacts['definition']): DefinitionFacts['definition'] {
  return { ...definition, metadata: withoutBulk(definition.metadata) };
}

/** Of annotations the server reads one; kubectl keeps the whole definition in another. */
export function withoutBulk<T extends KubernetesObject['metadata']>({
  managedFields: _owners,
  annotations,
  ...metadata
}: T): Omit<T, 'managedFields' | 'annotations'> {
  const approval = annotations?.[approvalKey];
  return approval === undefined ? metadata : { ...metadata, annotations: { [approvalKey]: approval } };
}

/** The schema of one version, as its author wrote it; undefined when there is no such version or it has none. */
export function schemaSource(json: Buffer, version: string): OpenApiSource | undefined {
  const spec = findValue(json, 0, versionsPath);
  let found: OpenApiSource | undefined;
  if (spec === undefined) return undefined;
  visitItems(json, spec.start, (item) => {
    const { value, end } = objectAt(json, item, { schema: leftOut(json) });
    const schema = value['name'] === version ? findValue(json, item, schemaPath) : undefined;
    if (schema !== undefined) found = parseSchema(json.subarray(schema.start, schema.end));
    return end;
  });
  return found;
}

/** Numbers beyond 2^53 stay exact; the reader that does that does not go as deep as schemas may. */
function parseSchema(bytes: Buffer): OpenApiSource {
  const text = bytes.toString();
  return (/\d{16}/.test(text) ? parseJson(bytes).value : JSON.parse(text)) as OpenApiSource;
}

const versionsPath = pathOf('spec.versions');
const schemaPath = pathOf('schema.openAPIV3Schema');

/** A value and where it ends. */
interface Read {
  readonly value: unknown;
  readonly end: number;
}

type ReadAt = (at: number) => Read;

function leftOut(json: Buffer): ReadAt {
  return (at) => ({ value: undefined, end: skipValue(json, at) });
}

/** The members of an object; those named are read in their own way, and left out when that gives nothing. */
function objectAt(json: Buffer, start: number, ways: Readonly<Record<string, ReadAt>>): { readonly value: Record<string, unknown>; readonly end: number } {
  const value: Record<string, unknown> = {};
  const end = visitMembers(json, start, (name, at) => {
    const read = Object.hasOwn(ways, name) ? (ways[name] as ReadAt)(at) : parsedAt(json, at);
    if (read.value !== undefined) setMember(value, name, read.value);
    return read.end;
  });
  return { value, end };
}

/** Every change of a definition's spec counts as a generation: a schema that has none of its length beside it needs no closer look. */
function digestsOf({ metadata }: KubernetesObject, schemas: ReadonlyMap<string, Buffer>): ReadonlyMap<string, string> {
  const { uid, generation } = metadata;
  const isKnown = uid !== undefined && generation !== undefined;
  const lengths = [...schemas.values()].map(({ length }) => length);
  const isAlone = ({ length }: Buffer) => lengths.indexOf(length) === lengths.lastIndexOf(length);
  const digest = (version: string, schema: Buffer) =>
    isKnown && isAlone(schema) ? `${uid} ${generation} ${version}` : createHash('sha256').update(schema).digest('base64');
  return new Map([...schemas].map(([version, schema]) => [version, digest(version, schema)]));
}

function versionsAt(json: Buffer, start: number, schemas: Map<string, Buffer>): Read {
  const value: CustomResourceDefinitionVersion[] = [];
  const end = visitItems(json, start, (item) => {
    let bytes = json.subarray(0, 0);
    const schema: ReadAt = (at) => {
      const schemaEnd = skipValue(json, at);
      bytes = json.subarray(at, schemaEnd);
      return { value: undefined, end: schemaEnd };
    };
    const version = objectAt(json, item, { schema });
    value.push(version.value as unknown as CustomResourceDefinitionVersion);
    schemas.set(String(version.value['name']), bytes);
    return version.end;
  });
  return { value, end };
}

function parsedAt(json: Buffer, at: number): Read {
  const end = skipValue(json, at);
  return { value: JSON.parse(json.toString('utf8', at, end)), end };
}

// Swagger 2.0 of several servers as one document, as kube-openapi's aggregator merges them: the first who has a path keeps it, and definitions
// and parameters that are called alike but differ get another name.
import { isDeepStrictEqual } from 'node:util';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Swagger extends JsonObject {
  readonly paths?: JsonObject;
  readonly definitions?: JsonObject;
  readonly parameters?: JsonObject;
}

const definitionPrefix = '#/definitions/';
const parameterPrefix = '#/parameters/';
const kindsKey = 'x-kubernetes-group-version-kind';

/** Returns a new document; neither is changed. */
export function mergeSwagger(into: Swagger, from: Swagger): Swagger {
  if (from.paths === undefined) return into;
  const own = into.paths ?? {};
  const added = Object.keys(from.paths).filter((path) => !Object.hasOwn(own, path));
  if (added.length === 0) return into;
  const wanted = added.length === Object.keys(from.paths).length ? from : filterSwagger(from, (path) => !Object.hasOwn(own, path));
  const renamed = renamedIn(
    wanted,
    newNames(into.definitions ?? {}, wanted.definitions ?? {}, isSameDefinition),
    newNames(into.parameters ?? {}, wanted.parameters ?? {}, isDeepStrictEqual),
  );
  return {
    ...into,
    paths: { ...own, ...renamed.paths },
    definitions: withDefinitions(into.definitions ?? {}, renamed.definitions ?? {}),
    parameters: { ...renamed.parameters, ...into.parameters },
  };
}

/** Only these paths; definitions that were used by others alone go with them. */
export function filterSwagger(document: Swagger, keeps: (path: string) => boolean): Swagger {
  const { paths = {}, definitions = {} } = document;
  const before = usedDefinitions(document);
  const kept = { ...document, paths: Object.fromEntries(Object.entries(paths).filter(([path]) => keeps(path))) };
  const after = usedDefinitions(kept);
  return { ...kept, definitions: Object.fromEntries(Object.entries(definitions).filter(([name]) => after.has(name) || !before.has(name))) };
}

/** Names of all definitions that paths, shared parameters and responses refer to, directly or not. */
function usedDefinitions({ paths, parameters, responses, definitions = {} }: Swagger): ReadonlySet<string> {
  const used = new Set<string>();
  const open: unknown[] = [paths, parameters, responses];
  while (open.length > 0) {
    for (const name of referencesIn(open.pop())) {
      if (used.has(name)) continue;
      used.add(name);
      open.push(definitions[name]);
    }
  }
  return used;
}

function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    const { $ref } = next as { $ref?: unknown };
    if (typeof $ref === 'string' && $ref.startsWith(definitionPrefix)) found.push($ref.slice(definitionPrefix.length));
    for (const inner of Object.values(next)) open.push(inner);
  }
  return found;
}

/** For each that clashes: `name_v2`, or the next number that is free or already holds the same. */
function newNames(present: JsonObject, added: JsonObject, isSame: (a: unknown, b: unknown) => boolean): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  const given = new Set<string>();
  for (const [name, value] of Object.entries(added)) {
    if (!Object.hasOwn(present, name) || isSame(present[name], value)) continue;
    let [number, candidate] = [2, `${name}_v2`];
    const isTaken = () => (Object.hasOwn(present, candidate) && !isSame(present[candidate], value)) || given.has(candidate) || Object.hasOwn(added, candidate);
    while (isTaken()) candidate = `${name}_v${++number}`;
    renames.set(name, candidate);
    given.add(candidate);
  }
  return renames;
}

function renamedIn(document: Swagger, definitions: ReadonlyMap<string, string>, parameters: ReadonlyMap<string, string>): Swagger {
  if (definitions.size === 0 && parameters.size === 0) return document;
  const references = new Map([
    ...[...definitions].map(([from, to]) => [definitionPrefix + from, definitionPrefix + to] as const),
    ...[...parameters].map(([from, to]) => [parameterPrefix + from, parameterPrefix + to] as const),
  ]);
  const renamed = withReferences(document, references) as Swagger;
  return { ...renamed, definitions: withNames(renamed.definitions, definitions), parameters: withNames(renamed.parameters, parameters) };
}

function withNames(entries: JsonObject = {}, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [names.get(name) ?? name, value]));
}

function withReferences(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, references));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? (references.get(inner) ?? inner) : withReferences(inner, references),
    ]),
  );
}

/** Which kinds a definition is used for says nothing about how it looks. */
function isSameDefinition(a: unknown, b: unknown): boolean {
  const { [kindsKey]: _, ...left } = a as JsonObject;
  const { [kindsKey]: _other, ...right } = b as JsonObject;
  return isDeepStrictEqual(left, right);
}

/** Those that both have are alike but for the kinds they are used for. */
function withDefinitions(present: JsonObject, added: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...present };
  for (const [name, definition] of Object.entries(added)) {
    merged[name] = Object.hasOwn(present, name) ? withKindsOf(present[name] as JsonObject, definition as JsonObject) : definition;
  }
  return merged;
}

function withKindsOf(present: JsonObject, added: JsonObject): JsonObject {
  const [own, others] = [present[kindsKey], added[kindsKey]];
  if (!Array.isArray(others)) return present;
  if (!Array.isArray(own)) return { ...present, [kindsKey]: others };
  const nameOf = ({ group, version, kind }: Record<string, unknown>) => `${group}/${version}.${kind}`;
  const all = new Map([...others, ...own].map((each: Record<string, unknown>) => [nameOf(each), each]));
  if (all.size === own.length) return present;
  return { ...present, [kindsKey]: [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each) };
}

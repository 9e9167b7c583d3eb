// Whole documents, written piece by piece as text: at no time is one of them held as a tree of objects,
// and other requests are served between the pieces.
import { nextTurn, Turn } from '#base/next-turn.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import { compareText, type Dialect, type Gvk, nameOf, openApiDefinition, type OpenApiSchema } from '#schema/openapi.ts';
import { customOperations, isCustom } from '#server/openapi/custom-operations.ts';
import { fixedOperations, groupOperation, groupVersionOperation } from '#server/openapi/fixed-operations.ts';
import type { Model, Operation } from '#server/openapi/operation.ts';
import { pathItems2, pathItems3 } from '#server/openapi/path-items.ts';
import { type OperationContext, resourceOperations } from '#server/openapi/resource-operations.ts';

export interface DocumentContext extends OperationContext {
  readonly catalog: ResourceCatalog;
}

/** Does the document say that DELETE answers with the object? Of namespaces, which do, upstream does not say so. */
export function publishesDeleted(catalog: ResourceCatalog, definition: ResourceDefinition): boolean {
  const isNamespace = definition.subresources.some(({ name }) => name === 'finalize');
  return !isNamespace && catalog.hubOf(definition).strategy.returnsDeleted === true;
}

/** Definitions already written, by name: many documents of one dialect contain the same ones. */
export type WrittenDefinitions = Map<string, { readonly text: string; readonly refersTo: readonly Model[] }>;

const piecesPerTurn = 32;

const info = { title: 'Kubernetes', version: '1.36' };
const customInfo = { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' };
/** Groups that the common client library does not know, whose kinds are left out of the documents of custom resources. */
const unknownToClients = ['admission.k8s.io', 'apiextensions.k8s.io', 'apiregistration.k8s.io', 'imagepolicy.k8s.io'];
const bearerToken = { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' };

/** The documents of OpenAPI 3: `api/v1`, `apis/apps`, `version` …, in order. */
export function documentNames(context: DocumentContext): string[] {
  const groups = context.catalog.groups().flatMap(({ name, versions }) => {
    const custom = versions.every((version) => context.catalog.resourcesOf(name, version).every(isCustom));
    const prefix = name === '' ? 'api' : `apis/${name}`;
    return [...(name === '' || custom ? [] : [prefix]), ...versions.map((version) => `${prefix}/${version}`)];
  });
  return [...Object.keys(fixedOperations(context.vocabulary)), ...groups].sort(compareText);
}

/** The resources that a document describes. */
export function resourcesIn(name: string, { catalog }: DocumentContext): readonly ResourceDefinition[] {
  const [, group, version] = /^(?:api|apis\/([^/]+))\/([^/]+)$/.exec(name) ?? [];
  return version === undefined ? [] : catalog.resourcesOf(group ?? '', version);
}

export function isDocument(name: string, context: DocumentContext): boolean {
  return operationsIn(name, resourcesIn(name, context).slice(0, 1), context).length > 0;
}

/** One document of OpenAPI 3. */
export async function document3(name: string, context: DocumentContext, written: WrittenDefinitions): Promise<string> {
  const resources = resourcesIn(name, context);
  const operations = operationsIn(name, resources, context);
  const custom = resources.length > 0 && resources.every(isCustom);
  const own = resources[0];
  const shows = ([group, version]: Gvk): boolean =>
    custom ? !unknownToClients.includes(group) : group === '' || (group === own?.group && version === own.version);
  const schemas = await definitionsFor(operations, { version: 3, descriptions: context.descriptions, shows }, written);
  const components = [
    ...(schemas === '{}' ? [] : [`"schemas":${schemas}`]),
    ...(custom ? [] : [`"securitySchemes":${JSON.stringify({ BearerToken: bearerToken })}`]),
  ];
  const paths = await objectText(pathItems3(operations));
  return `{"openapi":"3.0.0","info":${JSON.stringify(custom ? customInfo : info)},"paths":${paths},"components":{${components.join(',')}}}`;
}

function operationsIn(name: string, resources: readonly ResourceDefinition[], context: DocumentContext): Operation[] {
  const { vocabulary, catalog } = context;
  const fixed = fixedOperations(vocabulary)[name];
  if (fixed !== undefined) return [fixed];
  const group = /^apis\/([^/]+)$/.exec(name)?.[1];
  if (group !== undefined) return catalog.group(group) !== undefined ? [groupOperation(group, vocabulary)] : [];
  const [first] = resources;
  return first === undefined ? [] : groupVersionOperations(first, resources, context);
}

function groupVersionOperations({ group, version }: ResourceDefinition, resources: readonly ResourceDefinition[], context: DocumentContext): Operation[] {
  const { vocabulary } = context;
  const operations = resources.flatMap((resource) => (isCustom(resource) ? customOperations(resource, vocabulary) : resourceOperations(resource, context)));
  return resources.every(isCustom) ? operations : [groupVersionOperation(group, version, vocabulary), ...operations];
}

/** The one document of Swagger 2.0. */
export async function document2(context: DocumentContext): Promise<string> {
  const turn = new Turn();
  const operations: Operation[] = [];
  for (const name of documentNames(context)) {
    operations.push(...operationsIn(name, resourcesIn(name, context), context));
    await turn.next();
  }
  const shared = new Map<string, OpenApiSchema>();
  const paths = await objectText(pathItems2(operations, shared));
  const definitions = await definitionsFor(operations, { version: 2, descriptions: context.descriptions }, new Map());
  const parameters = await objectText([...shared].sort(([a], [b]) => compareText(a, b)));
  const security = `"securityDefinitions":${JSON.stringify({ BearerToken: bearerToken })},"security":[{"BearerToken":[]}]`;
  return `{"swagger":"2.0","info":${JSON.stringify(info)},"paths":${paths},"definitions":${definitions},"parameters":${parameters},${security}}`;
}

/** Everything that the operations refer to, directly or not. */
async function definitionsFor(operations: readonly Operation[], dialect: Omit<Dialect, 'refersTo'>, written: WrittenDefinitions): Promise<string> {
  const found = new Map<string, string>();
  const open = operations.flatMap(({ body, responses }) => [...(body === undefined ? [] : [body.model]), ...Object.values(responses)]);
  for (let model = open.pop(); model !== undefined; model = open.pop()) {
    if (model === 'string' || found.has(model.name)) continue;
    const definition = written.get(model.name) ?? writeDefinition(model, dialect, written);
    found.set(model.name, definition.text);
    open.push(...definition.refersTo);
    if (found.size % piecesPerTurn === 0) await nextTurn();
  }
  const entries = [...found].sort(([a], [b]) => compareText(a, b));
  return `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function writeDefinition(model: Model, dialect: Omit<Dialect, 'refersTo'>, written: WrittenDefinitions): { text: string; refersTo: Model[] } {
  const refersTo: Model[] = [];
  let several = false;
  const shows = (gvk: Gvk): boolean => {
    several = true;
    return dialect.shows?.(gvk) ?? true;
  };
  const schema = model.publish({
    ...dialect,
    shows,
    refersTo: (other) => refersTo.push({ name: nameOf(other) ?? '', publish: (inner) => openApiDefinition(other, inner) }),
  });
  const definition = { text: JSON.stringify(schema), refersTo };
  // What shows some of its kinds only differs from document to document.
  if (!several) written.set(model.name, definition);
  return definition;
}

async function objectText(entries: Iterable<readonly [string, unknown]>): Promise<string> {
  const parts: string[] = [];
  for (const [name, value] of entries) {
    parts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    if (parts.length % piecesPerTurn === 0) await nextTurn();
  }
  return `{${parts.join(',')}}`;
}

// The operations of one built-in resource: which paths it has, what they take and what they answer.
import type { ResourceDefinition, SubresourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Descriptions } from '#schema/openapi.ts';
import type { Method, Model, Operation, Parameter } from '#server/openapi/operation.ts';
import * as parameters from '#server/openapi/parameters.ts';
import { anyType, capitalized, collectionPlace, objectPlace, objectTypes, operationAt, type Place, rootOf, subresourcePlace } from '#server/openapi/places.ts';
import { modelOf, type OpenApiVocabulary } from '#server/openapi/vocabulary.ts';

export interface OperationContext {
  readonly vocabulary: OpenApiVocabulary;
  readonly descriptions: Descriptions;
  /** Is this feature gate on? */
  readonly gate: (name: string) => boolean;
  /** Does DELETE answer with the object itself? */
  readonly returnsDeleted: (definition: ResourceDefinition) => boolean;
}

const watchTypes: readonly string[] = [...objectTypes, 'application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
const patchTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

export function resourceOperations(definition: ResourceDefinition, context: OperationContext): Operation[] {
  const subresources = definition.subresources.filter(({ featureGate }) => featureGate === undefined || context.gate(featureGate));
  return [
    ...collectionOperations(definition, context),
    ...objectOperations(definition, context),
    ...watchOperations(definition, context),
    ...subresources.flatMap((subresource) => subresourceOperations(definition, subresource, context)),
  ];
}

function collectionOperations(definition: ResourceDefinition, { vocabulary }: OperationContext): Operation[] {
  const { kind, schema, verbs } = definition;
  const place = collectionPlace(definition);
  const operations: Operation[] = [];
  if (verbs.includes('list')) operations.push(...listOperations(place));
  if (verbs.includes('create')) operations.push(creation(place, modelOf(schema), `Creates a ${kind}.`));
  if (verbs.includes('deletecollection')) {
    operations.push({
      ...operationAt(place, 'delete', 'Collection', parameters.deleteCollectionParameters),
      method: 'delete',
      action: 'deletecollection',
      description: `Deletes all ${place.subject} that match.`,
      body: { model: modelOf(vocabulary.deleteOptions), required: false },
      responses: { 200: modelOf(vocabulary.status) },
    });
  }
  return operations;
}

function listOperations(place: Place): Operation[] {
  const { kind, plural, list, schema, verbs, namespaced } = place.definition;
  const listing = (at: Place): Operation => ({
    ...operationAt(at, 'list', '', parameters.listParameters),
    method: 'get',
    action: 'list',
    description: `Lists or watches ${place.subject}.`,
    produces: verbs.includes('watch') || list !== undefined ? watchTypes : objectTypes,
    responses: { 200: modelOf(list ?? schema) },
  });
  const everywhere = { ...place, path: `${rootOf(place.definition)}/${plural}`, name: `${kind}ForAllNamespaces`, parameters: [parameters.pretty] };
  return namespaced ? [listing(everywhere), listing(place)] : [listing(place)];
}

function creation(place: Place, model: Model, description: string): Operation {
  return {
    ...operationAt(place, 'create', '', parameters.createParameters),
    method: 'post',
    action: 'post',
    description,
    body: { model, required: true },
    responses: { 200: model, 201: model, 202: model },
  };
}

function objectOperations(definition: ResourceDefinition, context: OperationContext): Operation[] {
  const place = objectPlace(definition);
  const operations = readAndWrite(place, modelOf(definition.schema), definition.verbs, context);
  if (!definition.verbs.includes('delete')) return operations;
  const deleted = modelOf(context.returnsDeleted(definition) ? definition.schema : context.vocabulary.status);
  operations.push({
    ...operationAt(place, 'delete', '', parameters.deleteParameters),
    method: 'delete',
    action: 'delete',
    description: `Deletes ${place.subject}.`,
    body: { model: modelOf(context.vocabulary.deleteOptions), required: false },
    responses: { 200: deleted, 202: deleted },
  });
  return operations;
}

/** GET, PUT and PATCH of an object or of one of its subresources. */
function readAndWrite(place: Place, model: Model, verbs: readonly string[], { vocabulary }: OperationContext): Operation[] {
  const operations: Operation[] = [];
  if (verbs.includes('get')) {
    operations.push({
      ...operationAt(place, 'read', '', []),
      method: 'get',
      action: 'get',
      description: `Reads ${place.subject}.`,
      responses: { 200: model },
    });
  }
  if (verbs.includes('update')) {
    operations.push({
      ...operationAt(place, 'replace', '', parameters.createParameters),
      method: 'put',
      action: 'put',
      description: `Replaces ${place.subject}.`,
      body: { model, required: true },
      responses: { 200: model, 201: model },
    });
  }
  if (verbs.includes('patch')) {
    operations.push({
      ...operationAt(place, 'patch', '', parameters.patchParameters),
      method: 'patch',
      action: 'patch',
      description: `Changes parts of ${place.subject}.`,
      body: { model: modelOf(vocabulary.patch), required: true },
      consumes: patchTypes,
      responses: { 200: model, 201: model },
    });
  }
  return operations;
}

/** The old paths under `watch/`. */
function watchOperations(definition: ResourceDefinition, { vocabulary }: OperationContext): Operation[] {
  const { kind, plural, verbs, namespaced } = definition;
  if (!verbs.includes('watch')) return [];
  const root = rootOf(definition);
  const watching = (place: Place, action: string, advice: string): Operation => ({
    ...operationAt({ ...place, path: `${root}/watch${place.path.slice(root.length)}` }, 'watch', '', parameters.listParameters),
    method: 'get',
    action,
    description: `Watches ${place.subject}. Outdated: list with ${advice} instead.`,
    produces: watchTypes,
    responses: { 200: modelOf(vocabulary.watchEvent) },
  });
  const collection = collectionPlace(definition);
  const many = { ...collection, name: `${collection.name}List` };
  const everywhere = { ...collection, path: `${root}/${plural}`, name: `${kind}ListForAllNamespaces`, parameters: [parameters.pretty] };
  return [
    watching(many, 'watchlist', '`watch=true`'),
    watching(objectPlace(definition), 'watch', '`watch=true` and a field selector'),
    ...(namespaced ? [watching(everywhere, 'watchlist', '`watch=true`')] : []),
  ];
}

function subresourceOperations(definition: ResourceDefinition, subresource: SubresourceDefinition, context: OperationContext): Operation[] {
  const place = subresourcePlace(definition, subresource);
  const schema = place.gvk.kind === definition.kind ? definition.schema : subresourceSchema(place.gvk, context.vocabulary);
  if (schema === undefined) return [];
  const { name, verbs } = subresource;
  if (subresource.kind.endsWith('Options')) return connectOperations(place, schema, verbs, context);
  if (name === 'log') return [logOperation(place, context)];
  const operations = readAndWrite(place, modelOf(schema), verbs, context);
  return verbs.includes('create') ? [...operations, creation(place, modelOf(schema), `Creates ${place.subject}.`)] : operations;
}

function subresourceSchema({ group, version, kind }: Place['gvk'], { subresources }: OpenApiVocabulary): StructSchema | undefined {
  const [word = ''] = group.split('.');
  return subresources.find(({ name }) => name.endsWith(`.${word === '' ? 'core' : word}.${version}.${kind}`));
}

const connectMethods: readonly (readonly [verb: string, method: Method])[] = [
  ['get', 'get'],
  ['update', 'put'],
  ['create', 'post'],
  ['delete', 'delete'],
  ['patch', 'patch'],
];

/** Streams and proxies: any body, any answer. A proxy also takes what no verb stands for, and a path behind it. */
function connectOperations(place: Place, schema: StructSchema, verbs: readonly string[], { descriptions }: OperationContext): Operation[] {
  const isProxy = place.path.endsWith('/proxy');
  const options = parameters.optionParameters(schema, descriptions[schema.name]);
  const unformatted = place.parameters.filter((parameter) => parameter !== parameters.pretty);
  const connect = (method: Method, at: Place, more: readonly Parameter[]): Operation => ({
    ...operationAt({ ...at, parameters: unformatted }, 'connect', capitalized(method), [...options, ...more]),
    method,
    action: 'connect',
    description: `Connects ${method.toUpperCase()} requests to ${place.subject}.`,
    produces: anyType,
    responses: { 200: 'string' },
  });
  const methods = connectMethods.filter(([verb]) => verbs.includes(verb)).map(([, method]) => method);
  if (!isProxy) return methods.map((method) => connect(method, place, []));
  const behind = { ...place, path: `${place.path}/{path}`, name: `${place.name}WithPath` };
  const all: readonly Method[] = [...methods, 'options', 'head'];
  return all.flatMap((method) => [connect(method, place, []), connect(method, behind, [parameters.proxyPath])]);
}

function logOperation(place: Place, { vocabulary, descriptions }: OperationContext): Operation {
  const schema = vocabulary.subresources.find(({ name }) => name.endsWith('.PodLogOptions'));
  const options = schema === undefined ? [] : parameters.optionParameters(schema, descriptions[schema.name]);
  return {
    ...operationAt(place, 'read', '', options),
    method: 'get',
    action: 'get',
    description: `Reads the log of the ${place.definition.kind}.`,
    produces: ['text/plain', ...objectTypes],
    responses: { 200: 'string' },
  };
}

// The operations and definitions of a custom resource, which publishes a little less than a built-in one.
import type { ResourceDefinition } from '#resource/definition.ts';
import { customDefinition } from '#schema/structural/openapi-custom.ts';
import { type Dialect, gvkExtension, type OpenApiSchema, refTo } from '#schema/openapi.ts';
import type { Model, Operation, Parameter } from '#server/openapi/operation.ts';
import * as parameters from '#server/openapi/parameters.ts';
import { collectionPlace, objectPlace, operationAt, type Place, rootOf, subresourcePlace } from '#server/openapi/places.ts';
import { modelOf, type OpenApiVocabulary } from '#server/openapi/vocabulary.ts';

export function isCustom({ schema }: ResourceDefinition): boolean {
  return schema.name === '';
}

const mediaTypes: readonly string[] = ['application/json', 'application/yaml'];
const patchTypes: readonly string[] = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

export function customOperations(definition: ResourceDefinition, vocabulary: OpenApiVocabulary): Operation[] {
  const model = customModel(definition, vocabulary);
  return [
    ...collectionOperations(definition, model, vocabulary),
    ...readAndWrite(objectPlace(definition), model, vocabulary),
    deleteOperation(objectPlace(definition), vocabulary),
    ...definition.subresources.flatMap((subresource) => {
      const place = { ...subresourcePlace(definition, subresource), gvk: objectPlace(definition).gvk };
      return readAndWrite(place, subresource.kind === definition.kind ? model : scaleModel(vocabulary), vocabulary);
    }),
  ];
}

function at(place: Place, verb: string, prefix: string, options: readonly Parameter[]) {
  return { ...operationAt(place, verb, prefix, options), consumes: mediaTypes, produces: mediaTypes };
}

function collectionOperations(definition: ResourceDefinition, model: Model, vocabulary: OpenApiVocabulary): Operation[] {
  const { kind, plural, namespaced } = definition;
  const place = collectionPlace(definition);
  const everywhere = { ...place, path: `${rootOf(definition)}/${plural}`, name: `${kind}ForAllNamespaces`, parameters: [parameters.pretty] };
  const listing = (where: Place): Operation => ({
    ...at(where, 'list', '', parameters.listParameters),
    method: 'get',
    action: 'list',
    description: `Lists ${place.subject}.`,
    responses: { 200: listModel(definition, vocabulary) },
  });
  return [
    ...(namespaced ? [listing(everywhere)] : []),
    listing(place),
    {
      ...at(place, 'create', '', parameters.createParameters),
      method: 'post',
      action: 'post',
      description: `Creates a ${kind}.`,
      body: { model, required: true },
      responses: { 200: model, 201: model, 202: model },
    },
    {
      ...at(place, 'delete', 'Collection', parameters.listParameters),
      method: 'delete',
      action: 'deletecollection',
      description: `Deletes all ${place.subject} that match.`,
      responses: { 200: modelOf(vocabulary.status) },
    },
  ];
}

function deleteOperation(place: Place, { status, deleteOptions }: OpenApiVocabulary): Operation {
  return {
    ...at(place, 'delete', '', parameters.deleteParameters),
    method: 'delete',
    action: 'delete',
    description: `Deletes ${place.subject}.`,
    body: { model: modelOf(deleteOptions), required: false },
    responses: { 200: modelOf(status), 202: modelOf(status) },
  };
}

function readAndWrite(place: Place, model: Model, { patch }: OpenApiVocabulary): Operation[] {
  return [
    {
      ...at(place, 'read', '', parameters.customGetParameters),
      method: 'get',
      action: 'get',
      description: `Reads ${place.subject}.`,
      responses: { 200: model },
    },
    {
      ...at(place, 'replace', '', parameters.createParameters),
      method: 'put',
      action: 'put',
      description: `Replaces ${place.subject}.`,
      body: { model, required: true },
      responses: { 200: model, 201: model },
    },
    {
      ...at(place, 'patch', '', parameters.patchParameters),
      method: 'patch',
      action: 'patch',
      description: `Changes parts of ${place.subject}.`,
      body: { model: modelOf(patch), required: true },
      consumes: patchTypes,
      responses: { 200: model },
    },
  ];
}

function scaleModel({ subresources, status }: OpenApiVocabulary): Model {
  return modelOf(subresources.find(({ name }) => name.endsWith('.autoscaling.v1.Scale')) ?? status);
}

/** `stable.example.com`, `v1`, `CronTab` → `com.example.stable.v1.CronTab`. */
function definitionName({ group, version }: ResourceDefinition, kind: string): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

function customModel(definition: ResourceDefinition, { objectMeta }: OpenApiVocabulary): Model {
  const { group, version, kind, schema } = definition;
  return {
    name: definitionName(definition, kind),
    publish: (dialect) => {
      dialect.refersTo(objectMeta);
      const texts = { common: dialect.descriptions[''] ?? {}, metadata: refTo(objectMeta.name, dialect.version) };
      return { ...customDefinition(schema, dialect.version, texts), ...gvkExtension([[group, version, kind]]), ...selectableFields(definition) };
    },
  };
}

function listModel(definition: ResourceDefinition, vocabulary: OpenApiVocabulary): Model {
  const kind = definition.list?.options.gvks?.[0]?.[2] ?? `${definition.kind}List`;
  return { name: definitionName(definition, kind), publish: (dialect) => listDefinition(definition, kind, vocabulary, dialect) };
}

function listDefinition(definition: ResourceDefinition, listKind: string, { listMeta }: OpenApiVocabulary, dialect: Dialect): OpenApiSchema {
  const { group, version, kind, plural } = definition;
  dialect.refersTo(listMeta);
  const common = dialect.descriptions[''] ?? {};
  const $ref = refTo(listMeta.name, dialect.version);
  return {
    description: `A list of ${plural}.`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { description: common['apiVersion'], type: 'string' },
      items: { description: `The ${plural}.`, type: 'array', items: { $ref: refTo(definitionName(definition, kind), dialect.version) } },
      kind: { description: common['kind'], type: 'string' },
      metadata: { description: common['listMetadata'], ...(dialect.version === 2 ? { $ref } : { allOf: [{ $ref }] }) },
    },
    ...gvkExtension([[group, version, listKind]]),
    ...selectableFields(definition),
  };
}

/** The fields that field selectors may use beside name and namespace. */
function selectableFields({ strategy }: ResourceDefinition): OpenApiSchema {
  const paths = Object.keys(strategy.selectableFields ?? {});
  return paths.length === 0 ? {} : { 'x-kubernetes-selectable-fields': paths.map((fieldPath) => ({ fieldPath })) };
}

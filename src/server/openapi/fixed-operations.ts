// The operations that belong to no resource: discovery, version and the OpenID documents.
import type { Operation } from '#server/openapi/operation.ts';
import { operationId, tagOf } from '#server/openapi/operation-names.ts';
import { objectTypes } from '#server/openapi/places.ts';
import { modelOf, type OpenApiVocabulary } from '#server/openapi/vocabulary.ts';

/** The documents that exist whatever is served, each with its one operation. */
export function fixedOperations(vocabulary: OpenApiVocabulary): Readonly<Record<string, Operation>> {
  return {
    '.well-known/openid-configuration': {
      ...reading('/.well-known/openid-configuration/', 'getServiceAccountIssuerOpenIDConfiguration', 'WellKnown'),
      description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
      produces: ['application/json'],
      responses: { 200: 'string' },
    },
    'openid/v1/jwks': {
      ...reading('/openid/v1/jwks/', 'getServiceAccountIssuerOpenIDKeyset', 'openid'),
      description: 'Reads the public keys that verify service account tokens.',
      produces: ['application/jwk-set+json'],
      responses: { 200: 'string' },
    },
    version: {
      ...reading('/version/', 'getCodeVersion', 'version'),
      description: 'get the version information for this server',
      consumes: ['application/json'],
      produces: ['application/json'],
      responses: { 200: modelOf(vocabulary.versionInfo) },
    },
    api: {
      ...reading('/api/', 'getCoreAPIVersions', 'core'),
      ...discovered,
      description: 'Lists the versions of the core API.',
      responses: { 200: modelOf(vocabulary.apiVersions) },
    },
    apis: {
      ...reading('/apis/', 'getAPIVersions', 'apis'),
      ...discovered,
      description: 'Lists the API groups.',
      responses: { 200: modelOf(vocabulary.apiGroupList) },
    },
  };
}

export function groupOperation(group: string, vocabulary: OpenApiVocabulary): Operation {
  return {
    ...reading(`/apis/${group}/`, operationId('get', group, '', 'APIGroup'), tagOf(group, '')),
    ...discovered,
    description: 'Describes the group and its versions.',
    responses: { 200: modelOf(vocabulary.apiGroup) },
  };
}

export function groupVersionOperation(group: string, version: string, vocabulary: OpenApiVocabulary): Operation {
  const path = group === '' ? `/api/${version}/` : `/apis/${group}/${version}/`;
  return {
    ...reading(path, operationId('get', group, version, 'APIResources'), tagOf(group, version)),
    ...discovered,
    description: 'Lists the resources of the version.',
    responses: { 200: modelOf(vocabulary.apiResourceList) },
  };
}

const discovered = { consumes: objectTypes, produces: objectTypes };

function reading(path: string, id: string, tag: string) {
  return { path, method: 'get', id, tag, parameters: [], consumes: [] } as const;
}

// A definition of custom resources that is fine, and the paths of what tables of refusals change in it.
export const schemaPath = 'spec.versions.0.schema.openAPIV3Schema';

export const versionPath = 'spec.versions.0';

export const specPath = `${schemaPath}.properties.spec`;

export const sampleDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.rules.example' },
  spec: {
    group: 'rules.example',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList', shortNames: ['th'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { a: { type: 'string' }, l: { type: 'array', items: { type: 'string' } } } } },
          },
        },
      },
    ],
  },
};

import {
  customResourceDefinitionStrategy,
  defaultDefinitionSpec,
  defaultServiceReference,
  defaultStoredVersions,
} from '#kinds/apiextensions/v1/custom-resource-definition-strategy.ts';
import {
  CustomResourceDefinition,
  CustomResourceDefinitionList,
  CustomResourceDefinitionSpec,
  ServiceReference,
} from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const customresourcedefinitions = defineResource<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  namespaced: false,
  strategy: customResourceDefinitionStrategy,
  schema: CustomResourceDefinition,
  defaults: [
    defaultsOf(CustomResourceDefinition, defaultStoredVersions),
    defaultsOf(CustomResourceDefinitionSpec, defaultDefinitionSpec),
    defaultsOf(ServiceReference, defaultServiceReference),
  ],
  list: CustomResourceDefinitionList,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'apiextensions.k8s.io/customresourcedefinitions', hash: 'jfWCUB31mvA=' },
  lifecycle: { introduced: '1.16' },
  subresources: [{ name: 'status', kind: 'CustomResourceDefinition', verbs: ['get', 'patch', 'update'], tables: false }],
});

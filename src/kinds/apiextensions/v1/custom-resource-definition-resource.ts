import { customResourceDefinitionStrategy } from '#kinds/apiextensions/v1/custom-resource-definition-strategy.ts';
import { CustomResourceDefinition, CustomResourceDefinitionList } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { defineResource } from '#resource/definition.ts';

export const customresourcedefinitions = defineResource<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  singular: 'customresourcedefinition',
  namespaced: false,
  strategy: customResourceDefinitionStrategy,
  schema: CustomResourceDefinition,
  list: CustomResourceDefinitionList,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  storage: { version: 'v1', prefix: 'apiextensions.k8s.io/customresourcedefinitions', hash: 'jfWCUB31mvA=' },
  lifecycle: { introduced: '1.16' },
  subresources: [{ name: 'status', kind: 'CustomResourceDefinition', verbs: ['get', 'patch', 'update'], tables: false }],
});

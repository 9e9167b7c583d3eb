import { JSONSchemaProps } from '#kinds/apiextensions/v1/json-schema-props.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, bytes, embedded, type Infer, int32, int64, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const CustomResourceDefinition = rootStruct(
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<CustomResourceDefinitionSpec>(CustomResourceDefinitionSpec)),
    status: embedded(3, ref<CustomResourceDefinitionStatus>(CustomResourceDefinitionStatus)),
  }),
  { gvks: [['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition']] },
);
export interface CustomResourceDefinition extends Infer<typeof CustomResourceDefinition> {}

export const CustomResourceDefinitionList = rootStruct(
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CustomResourceDefinition>(CustomResourceDefinition))),
  }),
  { gvks: [['apiextensions.k8s.io', 'v1', 'CustomResourceDefinitionList']] },
);
export interface CustomResourceDefinitionList extends Infer<typeof CustomResourceDefinitionList> {}

export const CustomResourceColumnDefinition = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceColumnDefinition', () => ({
  name: required(1, string),
  type: required(2, string),
  format: optional(3, string),
  description: optional(4, string),
  priority: optional(5, int32),
  jsonPath: required(6, string),
}));
export interface CustomResourceColumnDefinition extends Infer<typeof CustomResourceColumnDefinition> {}

export const CustomResourceConversion = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceConversion', () => ({
  strategy: required(1, string, { goType: 'v1.ConversionStrategyType' }),
  webhook: pointer(2, ref<WebhookConversion>(WebhookConversion)),
}));
export interface CustomResourceConversion extends Infer<typeof CustomResourceConversion> {}

export const WebhookConversion = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookConversion', () => ({
  clientConfig: pointer(2, ref<WebhookClientConfig>(WebhookClientConfig)),
  conversionReviewVersions: required(3, list(string), { merge: 'atomic' }),
}));
export interface WebhookConversion extends Infer<typeof WebhookConversion> {}

export const WebhookClientConfig = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.WebhookClientConfig', () => ({
  url: pointer(3, string),
  service: pointer(1, ref<ServiceReference>(ServiceReference)),
  caBundle: optional(2, bytes),
}));
export interface WebhookClientConfig extends Infer<typeof WebhookClientConfig> {}

export const ServiceReference = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference', () => ({
  namespace: required(1, string),
  name: required(2, string),
  path: pointer(3, string),
  port: pointer(4, int32),
}));
export interface ServiceReference extends Infer<typeof ServiceReference> {}

export const CustomResourceDefinitionSpec = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec', () => ({
  group: required(1, string),
  names: required(3, ref<CustomResourceDefinitionNames>(CustomResourceDefinitionNames)),
  scope: required(4, string, { goType: 'v1.ResourceScope' }),
  versions: required(7, list(ref<CustomResourceDefinitionVersion>(CustomResourceDefinitionVersion)), { merge: 'atomic' }),
  conversion: pointer(9, ref<CustomResourceConversion>(CustomResourceConversion)),
  preserveUnknownFields: optional(10, boolean),
}));
export interface CustomResourceDefinitionSpec extends Infer<typeof CustomResourceDefinitionSpec> {}

export const CustomResourceDefinitionNames = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionNames', () => ({
  plural: required(1, string),
  singular: optional(2, string),
  shortNames: optional(3, list(string), { merge: 'atomic' }),
  kind: required(4, string),
  listKind: optional(5, string),
  categories: optional(6, list(string), { merge: 'atomic' }),
}));
export interface CustomResourceDefinitionNames extends Infer<typeof CustomResourceDefinitionNames> {}

export const CustomResourceDefinitionVersion = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionVersion', () => ({
  name: required(1, string),
  served: required(2, boolean),
  storage: required(3, boolean),
  deprecated: optional(7, boolean),
  deprecationWarning: pointer(8, string),
  schema: pointer(4, ref<CustomResourceValidation>(CustomResourceValidation)),
  subresources: pointer(5, ref<CustomResourceSubresources>(CustomResourceSubresources)),
  additionalPrinterColumns: optional(6, list(ref<CustomResourceColumnDefinition>(CustomResourceColumnDefinition)), { merge: 'atomic' }),
  selectableFields: optional(9, list(ref<SelectableField>(SelectableField)), { merge: 'atomic' }),
}));
export interface CustomResourceDefinitionVersion extends Infer<typeof CustomResourceDefinitionVersion> {}

export const CustomResourceValidation = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceValidation', () => ({
  openAPIV3Schema: pointer(1, ref<JSONSchemaProps>(JSONSchemaProps)),
}));
export interface CustomResourceValidation extends Infer<typeof CustomResourceValidation> {}

export const CustomResourceSubresources = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresources', () => ({
  status: pointer(1, ref<CustomResourceSubresourceStatus>(CustomResourceSubresourceStatus)),
  scale: pointer(2, ref<CustomResourceSubresourceScale>(CustomResourceSubresourceScale)),
}));
export interface CustomResourceSubresources extends Infer<typeof CustomResourceSubresources> {}

export const CustomResourceSubresourceStatus = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceStatus', () => ({}));
export interface CustomResourceSubresourceStatus extends Infer<typeof CustomResourceSubresourceStatus> {}

export const CustomResourceSubresourceScale = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceSubresourceScale', () => ({
  specReplicasPath: required(1, string),
  statusReplicasPath: required(2, string),
  labelSelectorPath: pointer(3, string),
}));
export interface CustomResourceSubresourceScale extends Infer<typeof CustomResourceSubresourceScale> {}

export const SelectableField = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.SelectableField', () => ({
  jsonPath: required(1, string),
}));
export interface SelectableField extends Infer<typeof SelectableField> {}

export const CustomResourceDefinitionStatus = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionStatus', () => ({
  conditions: optional(1, list(ref<CustomResourceDefinitionCondition>(CustomResourceDefinitionCondition)), {
    written: 'always',
    keepsEmpty: true,
    merge: { keys: ['type'] },
  }),
  acceptedNames: embedded(2, ref<CustomResourceDefinitionNames>(CustomResourceDefinitionNames), { written: 'always' }),
  storedVersions: optional(3, list(string), { written: 'always', merge: 'atomic' }),
  observedGeneration: optional(4, int64),
}));
export interface CustomResourceDefinitionStatus extends Infer<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinitionCondition = struct('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionCondition', () => ({
  type: required(1, string, { goType: 'v1.CustomResourceDefinitionConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
  observedGeneration: optional(6, int64),
}));
export interface CustomResourceDefinitionCondition extends Infer<typeof CustomResourceDefinitionCondition> {}

import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, bytes, embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const APIService = rootStruct(
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<APIServiceSpec>(APIServiceSpec)),
    status: embedded(3, ref<APIServiceStatus>(APIServiceStatus)),
  }),
  { gvks: [['apiregistration.k8s.io', 'v1', 'APIService']] },
);
export interface APIService extends Infer<typeof APIService> {}

export const APIServiceList = rootStruct(
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<APIService>(APIService))),
  }),
  { gvks: [['apiregistration.k8s.io', 'v1', 'APIServiceList']] },
);
export interface APIServiceList extends Infer<typeof APIServiceList> {}

export const APIServiceSpec = struct('io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceSpec', () => ({
  service: pointer(1, ref<ServiceReference>(ServiceReference)),
  group: optional(2, string),
  version: optional(3, string),
  insecureSkipTLSVerify: optional(4, boolean),
  caBundle: optional(5, bytes, { merge: 'atomic' }),
  groupPriorityMinimum: required(7, int32),
  versionPriority: required(8, int32),
}));
export interface APIServiceSpec extends Infer<typeof APIServiceSpec> {}

export const ServiceReference = struct('io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference', () => ({
  namespace: optional(1, string),
  name: optional(2, string),
  port: pointer(3, int32),
}));
export interface ServiceReference extends Infer<typeof ServiceReference> {}

export const APIServiceStatus = struct('io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceStatus', () => ({
  conditions: optional(1, list(ref<APIServiceCondition>(APIServiceCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface APIServiceStatus extends Infer<typeof APIServiceStatus> {}

export const APIServiceCondition = struct('io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIServiceCondition', () => ({
  type: required(1, string, { goType: 'v1.APIServiceConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface APIServiceCondition extends Infer<typeof APIServiceCondition> {}

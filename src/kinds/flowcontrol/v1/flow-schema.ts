import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const FlowSchema = rootStruct(
  'io.k8s.api.flowcontrol.v1.FlowSchema',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<FlowSchemaSpec>(FlowSchemaSpec)),
    status: embedded(3, ref<FlowSchemaStatus>(FlowSchemaStatus)),
  }),
  { gvks: [['flowcontrol.apiserver.k8s.io', 'v1', 'FlowSchema']] },
);
export interface FlowSchema extends Infer<typeof FlowSchema> {}

export const FlowSchemaList = rootStruct(
  'io.k8s.api.flowcontrol.v1.FlowSchemaList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<FlowSchema>(FlowSchema))),
  }),
  { gvks: [['flowcontrol.apiserver.k8s.io', 'v1', 'FlowSchemaList']] },
);
export interface FlowSchemaList extends Infer<typeof FlowSchemaList> {}

export const FlowDistinguisherMethod = struct('io.k8s.api.flowcontrol.v1.FlowDistinguisherMethod', () => ({
  type: required(1, string, { goType: 'v1.FlowDistinguisherMethodType' }),
}));
export interface FlowDistinguisherMethod extends Infer<typeof FlowDistinguisherMethod> {}

export const FlowSchemaSpec = struct('io.k8s.api.flowcontrol.v1.FlowSchemaSpec', () => ({
  priorityLevelConfiguration: required(1, ref<PriorityLevelConfigurationReference>(PriorityLevelConfigurationReference)),
  matchingPrecedence: optional(2, int32, { written: 'always' }),
  distinguisherMethod: pointer(3, ref<FlowDistinguisherMethod>(FlowDistinguisherMethod)),
  rules: optional(4, list(ref<PolicyRulesWithSubjects>(PolicyRulesWithSubjects)), { merge: 'atomic' }),
}));
export interface FlowSchemaSpec extends Infer<typeof FlowSchemaSpec> {}

export const PriorityLevelConfigurationReference = struct('io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationReference', () => ({
  name: required(1, string),
}));
export interface PriorityLevelConfigurationReference extends Infer<typeof PriorityLevelConfigurationReference> {}

export const PolicyRulesWithSubjects = struct('io.k8s.api.flowcontrol.v1.PolicyRulesWithSubjects', () => ({
  subjects: required(1, list(ref<Subject>(Subject)), { merge: 'atomic' }),
  resourceRules: optional(2, list(ref<ResourcePolicyRule>(ResourcePolicyRule)), { merge: 'atomic' }),
  nonResourceRules: optional(3, list(ref<NonResourcePolicyRule>(NonResourcePolicyRule)), { merge: 'atomic' }),
}));
export interface PolicyRulesWithSubjects extends Infer<typeof PolicyRulesWithSubjects> {}

export const Subject = struct(
  'io.k8s.api.flowcontrol.v1.Subject',
  () => ({
    kind: required(1, string, { goType: 'v1.SubjectKind' }),
    user: pointer(2, ref<UserSubject>(UserSubject)),
    group: pointer(3, ref<GroupSubject>(GroupSubject)),
    serviceAccount: pointer(4, ref<ServiceAccountSubject>(ServiceAccountSubject)),
  }),
  { unions: [{ discriminator: 'kind', 'fields-to-discriminateBy': { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } }] },
);
export interface Subject extends Infer<typeof Subject> {}

export const UserSubject = struct('io.k8s.api.flowcontrol.v1.UserSubject', () => ({
  name: required(1, string),
}));
export interface UserSubject extends Infer<typeof UserSubject> {}

export const GroupSubject = struct('io.k8s.api.flowcontrol.v1.GroupSubject', () => ({
  name: required(1, string),
}));
export interface GroupSubject extends Infer<typeof GroupSubject> {}

export const ServiceAccountSubject = struct('io.k8s.api.flowcontrol.v1.ServiceAccountSubject', () => ({
  namespace: required(1, string),
  name: required(2, string),
}));
export interface ServiceAccountSubject extends Infer<typeof ServiceAccountSubject> {}

export const ResourcePolicyRule = struct('io.k8s.api.flowcontrol.v1.ResourcePolicyRule', () => ({
  verbs: required(1, list(string), { merge: 'set' }),
  apiGroups: required(2, list(string), { merge: 'set' }),
  resources: required(3, list(string), { merge: 'set' }),
  clusterScope: optional(4, boolean),
  namespaces: optional(5, list(string), { written: 'always', merge: 'set' }),
}));
export interface ResourcePolicyRule extends Infer<typeof ResourcePolicyRule> {}

export const NonResourcePolicyRule = struct('io.k8s.api.flowcontrol.v1.NonResourcePolicyRule', () => ({
  verbs: required(1, list(string), { merge: 'set' }),
  nonResourceURLs: required(6, list(string), { merge: 'set' }),
}));
export interface NonResourcePolicyRule extends Infer<typeof NonResourcePolicyRule> {}

export const FlowSchemaStatus = struct('io.k8s.api.flowcontrol.v1.FlowSchemaStatus', () => ({
  conditions: optional(1, list(ref<FlowSchemaCondition>(FlowSchemaCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface FlowSchemaStatus extends Infer<typeof FlowSchemaStatus> {}

export const FlowSchemaCondition = struct('io.k8s.api.flowcontrol.v1.FlowSchemaCondition', () => ({
  type: optional(1, string, { goType: 'v1.FlowSchemaConditionType' }),
  status: optional(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(3, time),
  reason: optional(4, string),
  message: optional(5, string),
}));
export interface FlowSchemaCondition extends Infer<typeof FlowSchemaCondition> {}

import { MatchCondition } from '#kinds/admissionregistration/v1beta1/match-condition.ts';
import { MatchResources } from '#kinds/admissionregistration/v1beta1/match-resources.ts';
import { ParamKind } from '#kinds/admissionregistration/v1beta1/param-kind.ts';
import { Variable } from '#kinds/admissionregistration/v1beta1/variable.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const MutatingAdmissionPolicy = rootStruct(
  'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicy',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<MutatingAdmissionPolicySpec>(MutatingAdmissionPolicySpec)),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1beta1', 'MutatingAdmissionPolicy']] },
);
export interface MutatingAdmissionPolicy extends Infer<typeof MutatingAdmissionPolicy> {}

export const MutatingAdmissionPolicyList = rootStruct(
  'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<MutatingAdmissionPolicy>(MutatingAdmissionPolicy))),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1beta1', 'MutatingAdmissionPolicyList']] },
);
export interface MutatingAdmissionPolicyList extends Infer<typeof MutatingAdmissionPolicyList> {}

export const ApplyConfiguration = struct('io.k8s.api.admissionregistration.v1beta1.ApplyConfiguration', () => ({
  expression: optional(1, string),
}));
export interface ApplyConfiguration extends Infer<typeof ApplyConfiguration> {}

export const JSONPatch = struct('io.k8s.api.admissionregistration.v1beta1.JSONPatch', () => ({
  expression: optional(1, string),
}));
export interface JSONPatch extends Infer<typeof JSONPatch> {}

export const MutatingAdmissionPolicySpec = struct('io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicySpec', () => ({
  paramKind: pointer(1, ref<ParamKind>(ParamKind)),
  matchConstraints: pointer(2, ref<MatchResources>(MatchResources)),
  variables: optional(3, list(ref<Variable>(Variable)), { merge: 'atomic' }),
  mutations: optional(4, list(ref<Mutation>(Mutation)), { merge: 'atomic' }),
  failurePolicy: pointer(5, string, { goType: 'v1beta1.FailurePolicyType' }),
  matchConditions: optional(6, list(ref<MatchCondition>(MatchCondition)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  reinvocationPolicy: optional(7, string, { enum: ['IfNeeded', 'Never'], goType: 'v1.ReinvocationPolicyType' }),
}));
export interface MutatingAdmissionPolicySpec extends Infer<typeof MutatingAdmissionPolicySpec> {}

export const Mutation = struct('io.k8s.api.admissionregistration.v1beta1.Mutation', () => ({
  patchType: required(2, string, { enum: ['ApplyConfiguration', 'JSONPatch'], goType: 'v1beta1.PatchType' }),
  applyConfiguration: pointer(3, ref<ApplyConfiguration>(ApplyConfiguration)),
  jsonPatch: pointer(4, ref<JSONPatch>(JSONPatch)),
}));
export interface Mutation extends Infer<typeof Mutation> {}

import { MatchResources } from '#kinds/admissionregistration/v1beta1/match-resources.ts';
import { ParamRef } from '#kinds/admissionregistration/v1beta1/param-ref.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const MutatingAdmissionPolicyBinding = rootStruct(
  'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBinding',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<MutatingAdmissionPolicyBindingSpec>(MutatingAdmissionPolicyBindingSpec)),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1beta1', 'MutatingAdmissionPolicyBinding']] },
);
export interface MutatingAdmissionPolicyBinding extends Infer<typeof MutatingAdmissionPolicyBinding> {}

export const MutatingAdmissionPolicyBindingList = rootStruct(
  'io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBindingList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<MutatingAdmissionPolicyBinding>(MutatingAdmissionPolicyBinding))),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1beta1', 'MutatingAdmissionPolicyBindingList']] },
);
export interface MutatingAdmissionPolicyBindingList extends Infer<typeof MutatingAdmissionPolicyBindingList> {}

export const MutatingAdmissionPolicyBindingSpec = struct('io.k8s.api.admissionregistration.v1beta1.MutatingAdmissionPolicyBindingSpec', () => ({
  policyName: optional(1, string),
  paramRef: pointer(2, ref<ParamRef>(ParamRef)),
  matchResources: pointer(3, ref<MatchResources>(MatchResources)),
}));
export interface MutatingAdmissionPolicyBindingSpec extends Infer<typeof MutatingAdmissionPolicyBindingSpec> {}

import { MatchResources } from '#kinds/admissionregistration/v1/match-resources.ts';
import { ParamRef } from '#kinds/admissionregistration/v1/param-ref.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ValidatingAdmissionPolicyBinding = rootStruct(
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ValidatingAdmissionPolicyBindingSpec>(ValidatingAdmissionPolicyBindingSpec), { mandatory: true }),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicyBinding']] },
);
export interface ValidatingAdmissionPolicyBinding extends Infer<typeof ValidatingAdmissionPolicyBinding> {}

export const ValidatingAdmissionPolicyBindingList = rootStruct(
  'io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ValidatingAdmissionPolicyBinding>(ValidatingAdmissionPolicyBinding))),
  }),
  { gvks: [['admissionregistration.k8s.io', 'v1', 'ValidatingAdmissionPolicyBindingList']] },
);
export interface ValidatingAdmissionPolicyBindingList extends Infer<typeof ValidatingAdmissionPolicyBindingList> {}

export const ValidatingAdmissionPolicyBindingSpec = struct('io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec', () => ({
  policyName: required(1, string, { written: 'nonempty' }),
  paramRef: pointer(2, ref<ParamRef>(ParamRef)),
  matchResources: pointer(3, ref<MatchResources>(MatchResources)),
  validationActions: required(4, list(string), { written: 'nonempty', enum: ['Audit', 'Deny', 'Warn'], merge: 'set', goType: '[]v1.ValidationAction' }),
}));
export interface ValidatingAdmissionPolicyBindingSpec extends Infer<typeof ValidatingAdmissionPolicyBindingSpec> {}

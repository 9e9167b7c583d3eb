import { MatchCondition } from '#kinds/admissionregistration/v1alpha1/match-condition.ts';
import { MatchResources } from '#kinds/admissionregistration/v1alpha1/match-resources.ts';
import { ParamKind } from '#kinds/admissionregistration/v1alpha1/param-kind.ts';
import { Variable } from '#kinds/admissionregistration/v1alpha1/variable.ts';
import { Condition } from '#kinds/meta/v1/condition.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int64, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ValidatingAdmissionPolicy = rootStruct(
  'io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicy',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<ValidatingAdmissionPolicySpec>(ValidatingAdmissionPolicySpec)),
    status: embedded(3, ref<ValidatingAdmissionPolicyStatus>(ValidatingAdmissionPolicyStatus)),
  }),
  { unpublished: true },
);
export interface ValidatingAdmissionPolicy extends Infer<typeof ValidatingAdmissionPolicy> {}

export const ValidatingAdmissionPolicyList = rootStruct(
  'io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicyList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ValidatingAdmissionPolicy>(ValidatingAdmissionPolicy))),
  }),
  { unpublished: true },
);
export interface ValidatingAdmissionPolicyList extends Infer<typeof ValidatingAdmissionPolicyList> {}

export const AuditAnnotation = struct(
  'io.k8s.api.admissionregistration.v1alpha1.AuditAnnotation',
  () => ({
    key: required(1, string),
    valueExpression: required(2, string),
  }),
  { unpublished: true },
);
export interface AuditAnnotation extends Infer<typeof AuditAnnotation> {}

export const ExpressionWarning = struct(
  'io.k8s.api.admissionregistration.v1alpha1.ExpressionWarning',
  () => ({
    fieldRef: required(2, string),
    warning: required(3, string),
  }),
  { unpublished: true },
);
export interface ExpressionWarning extends Infer<typeof ExpressionWarning> {}

export const TypeChecking = struct(
  'io.k8s.api.admissionregistration.v1alpha1.TypeChecking',
  () => ({
    expressionWarnings: optional(1, list(ref<ExpressionWarning>(ExpressionWarning)), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface TypeChecking extends Infer<typeof TypeChecking> {}

export const ValidatingAdmissionPolicySpec = struct(
  'io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicySpec',
  () => ({
    paramKind: pointer(1, ref<ParamKind>(ParamKind)),
    matchConstraints: pointer(2, ref<MatchResources>(MatchResources)),
    validations: optional(3, list(ref<Validation>(Validation)), { merge: 'atomic' }),
    failurePolicy: pointer(4, string, { enum: ['Fail', 'Ignore'], goType: 'v1alpha1.FailurePolicyType' }),
    auditAnnotations: optional(5, list(ref<AuditAnnotation>(AuditAnnotation)), { merge: 'atomic' }),
    matchConditions: optional(6, list(ref<MatchCondition>(MatchCondition)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
    variables: optional(7, list(ref<Variable>(Variable)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
  }),
  { unpublished: true },
);
export interface ValidatingAdmissionPolicySpec extends Infer<typeof ValidatingAdmissionPolicySpec> {}

export const Validation = struct(
  'io.k8s.api.admissionregistration.v1alpha1.Validation',
  () => ({
    expression: required(1, string, { protoName: 'Expression' }),
    message: optional(2, string),
    reason: pointer(3, string, { goType: 'v1.StatusReason' }),
    messageExpression: optional(4, string),
  }),
  { unpublished: true },
);
export interface Validation extends Infer<typeof Validation> {}

export const ValidatingAdmissionPolicyStatus = struct(
  'io.k8s.api.admissionregistration.v1alpha1.ValidatingAdmissionPolicyStatus',
  () => ({
    observedGeneration: optional(1, int64),
    typeChecking: pointer(2, ref<TypeChecking>(TypeChecking)),
    conditions: optional(3, list(ref<Condition>(Condition)), { merge: { keys: ['type'] } }),
  }),
  { unpublished: true },
);
export interface ValidatingAdmissionPolicyStatus extends Infer<typeof ValidatingAdmissionPolicyStatus> {}

import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { LabelSelector } from '#kinds/meta/v1/label-selector.ts';
import { boolean, type Infer, int32, int64, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const JobSpec = struct('io.k8s.api.batch.v1.JobSpec', () => ({
  parallelism: pointer(1, int32),
  completions: pointer(2, int32),
  activeDeadlineSeconds: pointer(3, int64),
  podFailurePolicy: pointer(11, ref<PodFailurePolicy>(PodFailurePolicy)),
  successPolicy: pointer(16, ref<SuccessPolicy>(SuccessPolicy)),
  backoffLimit: pointer(7, int32),
  backoffLimitPerIndex: pointer(12, int32),
  maxFailedIndexes: pointer(13, int32),
  selector: pointer(4, ref<LabelSelector>(LabelSelector)),
  manualSelector: pointer(5, boolean),
  template: required(6, ref<PodTemplateSpec>(PodTemplateSpec)),
  ttlSecondsAfterFinished: pointer(8, int32),
  completionMode: pointer(9, string, { enum: ['Indexed', 'NonIndexed'], goType: 'v1.CompletionMode' }),
  suspend: pointer(10, boolean),
  podReplacementPolicy: pointer(14, string, { enum: ['Failed', 'TerminatingOrFailed'], goType: 'v1.PodReplacementPolicy' }),
  managedBy: pointer(15, string),
}));
export interface JobSpec extends Infer<typeof JobSpec> {}

export const PodFailurePolicy = struct('io.k8s.api.batch.v1.PodFailurePolicy', () => ({
  rules: required(1, list(ref<PodFailurePolicyRule>(PodFailurePolicyRule)), { merge: 'atomic' }),
}));
export interface PodFailurePolicy extends Infer<typeof PodFailurePolicy> {}

export const PodFailurePolicyRule = struct('io.k8s.api.batch.v1.PodFailurePolicyRule', () => ({
  action: required(1, string, { enum: ['Count', 'FailIndex', 'FailJob', 'Ignore'], goType: 'v1.PodFailurePolicyAction' }),
  onExitCodes: pointer(2, ref<PodFailurePolicyOnExitCodesRequirement>(PodFailurePolicyOnExitCodesRequirement)),
  onPodConditions: optional(3, list(ref<PodFailurePolicyOnPodConditionsPattern>(PodFailurePolicyOnPodConditionsPattern)), { merge: 'atomic' }),
}));
export interface PodFailurePolicyRule extends Infer<typeof PodFailurePolicyRule> {}

export const PodFailurePolicyOnExitCodesRequirement = struct('io.k8s.api.batch.v1.PodFailurePolicyOnExitCodesRequirement', () => ({
  containerName: pointer(1, string),
  operator: required(2, string, { enum: ['In', 'NotIn'], goType: 'v1.PodFailurePolicyOnExitCodesOperator' }),
  values: required(3, list(int32), { merge: 'set' }),
}));
export interface PodFailurePolicyOnExitCodesRequirement extends Infer<typeof PodFailurePolicyOnExitCodesRequirement> {}

export const PodFailurePolicyOnPodConditionsPattern = struct('io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern', () => ({
  type: required(1, string, { goType: 'v1.PodConditionType' }),
  status: optional(2, string, { written: 'always', goType: 'v1.ConditionStatus' }),
}));
export interface PodFailurePolicyOnPodConditionsPattern extends Infer<typeof PodFailurePolicyOnPodConditionsPattern> {}

export const SuccessPolicy = struct('io.k8s.api.batch.v1.SuccessPolicy', () => ({
  rules: required(1, list(ref<SuccessPolicyRule>(SuccessPolicyRule)), { merge: 'atomic' }),
}));
export interface SuccessPolicy extends Infer<typeof SuccessPolicy> {}

export const SuccessPolicyRule = struct('io.k8s.api.batch.v1.SuccessPolicyRule', () => ({
  succeededIndexes: pointer(1, string),
  succeededCount: pointer(2, int32),
}));
export interface SuccessPolicyRule extends Infer<typeof SuccessPolicyRule> {}

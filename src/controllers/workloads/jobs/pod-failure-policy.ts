// What a Job's podFailurePolicy says about a pod that has failed: the first rule that fits decides.
import type { JobPod } from '#controllers/workloads/jobs/job-pod.ts';
import type { StoredJob } from '#controllers/workloads/jobs/job-state.ts';
import type { PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from '#kinds/batch/v1/job-spec.ts';

export interface FailureVerdict {
  /** Undefined: no rule fits. */
  readonly action: string | undefined;
  /** Counts toward the limits. */
  readonly isCounted: boolean;
  /** Why the whole Job fails. */
  readonly jobFailure: string | undefined;
}

const counted: FailureVerdict = { action: undefined, isCounted: true, jobFailure: undefined };

export function judgeFailure({ spec }: StoredJob, pod: JobPod): FailureVerdict {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { action, isCounted: false, jobFailure: undefined };
    if (action === 'FailJob') return { action, isCounted: true, jobFailure: `${match} matching ${action} rule at index ${index}` };
    if (action === 'FailIndex' || action === 'Count') return { action, isCounted: true, jobFailure: undefined };
  }
  return counted;
}

/** What fits, in words. */
function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, { namespace, name, status }: JobPod): string | undefined {
  if (onExitCodes !== undefined) {
    const containers = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    for (const { name: container, state } of containers) {
      const exitCode = state?.terminated?.exitCode;
      if (exitCode === undefined || !matchesCode(onExitCodes, container, exitCode)) continue;
      return `Container ${container} for pod ${namespace}/${name} failed with exit code ${exitCode}`;
    }
    return undefined;
  }
  const condition = status?.conditions?.find(({ type, status: is }) => onPodConditions?.some((pattern) => pattern.type === type && pattern.status === is));
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

/** A container that ended well fits no rule. */
function matchesCode({ containerName, operator, values = [] }: PodFailurePolicyOnExitCodesRequirement, container: string, exitCode: number): boolean {
  if (exitCode === 0 || (containerName !== undefined && containerName !== container)) return false;
  return operator === 'In' ? values.includes(exitCode) : operator === 'NotIn' && !values.includes(exitCode);
}

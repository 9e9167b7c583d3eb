import { PodFailurePolicyOnPodConditionsPattern } from '#kinds/batch/v1/job-spec.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

/** For jobs and for the templates of jobs in cron jobs. */
export const jobSpecDefaults: Defaults = [...podTemplateDefaults, defaultsOf(PodFailurePolicyOnPodConditionsPattern, defaultConditionPattern)];

function defaultConditionPattern(pattern: PodFailurePolicyOnPodConditionsPattern): void {
  pattern.status ||= 'True';
}

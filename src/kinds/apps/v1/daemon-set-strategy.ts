// How daemon sets are written, and what the server fills in. The template's generation lives in an annotation since it left the spec.
import type { DaemonSet } from '#kinds/apps/v1/daemon-set.ts';
import { validateDaemonSet, validateDaemonSetStatusUpdate, validateDaemonSetUpdate } from '#kinds/apps/v1/daemon-set-validation.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import { podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

export const templateGenerationKey = 'deprecated.daemonset.template.generation';

export function defaultDaemonSet(set: DaemonSet): void {
  const { spec } = set;
  const { updateStrategy } = spec;
  updateStrategy.type ||= 'RollingUpdate';
  if (updateStrategy.type === 'RollingUpdate') {
    updateStrategy.rollingUpdate ??= {};
    updateStrategy.rollingUpdate.maxUnavailable ??= 1;
  }
  // Unused with other strategies, but a number all the same.
  if (updateStrategy.rollingUpdate !== undefined) {
    updateStrategy.rollingUpdate.maxUnavailable ??= 0;
    updateStrategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  // A number that is always there, as the field of the spec was.
  if (set.metadata.annotations?.[templateGenerationKey] === undefined) setTemplateGeneration(set, 0);
}

function templateGeneration({ metadata }: DaemonSet): number {
  return Number(metadata.annotations?.[templateGenerationKey] ?? 0) || 0;
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGenerationKey]: String(generation) };
}

export const daemonSetStrategy: Strategy<DaemonSet> = {
  prepareForCreate(set, { gate }) {
    set.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    startGeneration(set.metadata);
    setTemplateGeneration(set, Math.max(templateGeneration(set), 1));
    dropGatedFields(set.spec.template.spec, undefined, gate);
  },
  validate: validateDaemonSet,
  warnOnCreate: ({ spec }) => podTemplateWarnings(spec.template, 'spec.template'),

  prepareForUpdate(set, old, { gate }) {
    set.status = old.status;
    dropGatedFields(set.spec.template.spec, old.spec.template.spec, gate);
    const sameTemplate = semanticEqual(set.spec.template, old.spec.template);
    setTemplateGeneration(set, templateGeneration(old) + (sameTemplate ? 0 : 1));
    countGeneration(set.metadata, old.metadata, set.spec, old.spec);
  },
  validateUpdate: validateDaemonSetUpdate,
  warnOnUpdate: (set, old) => (templateGeneration(set) === templateGeneration(old) ? [] : podTemplateWarnings(set.spec.template, 'spec.template')),

  subresources: {
    status: statusStrategy<DaemonSet>({
      prepare: (set, old) => setTemplateGeneration(set, templateGeneration(old)),
      validateUpdate: validateDaemonSetStatusUpdate,
      resetFields: [['spec']],
    }),
  },
};

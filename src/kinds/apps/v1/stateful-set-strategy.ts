// How stateful sets are written, and what the server fills in.
import type { StatefulSet, StatefulSetSpec } from '#kinds/apps/v1/stateful-set.ts';
import { validateStatefulSet, validateStatefulSetStatusUpdate, validateStatefulSetUpdate } from '#kinds/apps/v1/stateful-set-validation.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import { podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { claimSpecWarnings } from '#kinds/core/v1/volume/volume-warnings.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

export function defaultStatefulSet({ spec }: StatefulSet): void {
  spec.podManagementPolicy ||= 'OrderedReady';
  const { updateStrategy } = spec;
  if (!updateStrategy.type) {
    updateStrategy.type = 'RollingUpdate';
    updateStrategy.rollingUpdate ??= {};
  }
  if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate !== undefined) updateStrategy.rollingUpdate.partition ??= 0;
  const policy = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  policy.whenDeleted ||= 'Retain';
  policy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  for (const claim of spec.volumeClaimTemplates ?? []) {
    Object.assign(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
    claim.status.phase ||= 'Pending';
  }
}

export const statefulSetStrategy: Strategy<StatefulSet> = {
  prepareForCreate(set, { gate }) {
    set.status = { replicas: 0, availableReplicas: 0 };
    startGeneration(set.metadata);
    settleMaxUnavailable(set.spec, undefined, gate);
    dropGatedFields(set.spec.template.spec, undefined, gate);
  },
  validate: validateStatefulSet,
  warnOnCreate: ({ spec }) => [...podTemplateWarnings(spec.template, 'spec.template'), ...specWarnings(spec, '')],

  prepareForUpdate(set, old, { gate }) {
    set.status = old.status;
    settleMaxUnavailable(set.spec, old.spec, gate);
    dropGatedFields(set.spec.template.spec, old.spec.template.spec, gate);
    countGeneration(set.metadata, old.metadata, set.spec, old.spec);
  },
  validateUpdate: validateStatefulSetUpdate,
  warnOnUpdate: ({ metadata, spec }, old) => [
    ...(metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(spec.template, 'spec.template')),
    // With a capital letter, as upstream has it.
    ...specWarnings(spec, '.Spec'),
  ],

  subresources: { status: statusStrategy<StatefulSet>({ validateUpdate: validateStatefulSetStatusUpdate, resetFields: [['spec']] }) },
};

/** Behind a gate: dropped when that is off, filled in when it is on. */
function settleMaxUnavailable({ updateStrategy }: StatefulSetSpec, old: StatefulSetSpec | undefined, gate: StrategyContext['gate']): void {
  const { type, rollingUpdate } = updateStrategy;
  if (rollingUpdate === undefined) return;
  if (gate('MaxUnavailableStatefulSet')) {
    if (type === 'RollingUpdate') rollingUpdate.maxUnavailable ??= 1;
  } else if (old?.updateStrategy.rollingUpdate?.maxUnavailable === undefined) {
    delete rollingUpdate.maxUnavailable;
  }
}

function specWarnings({ volumeClaimTemplates = [], revisionHistoryLimit = 0 }: StatefulSetSpec, suffix: string): readonly string[] {
  const claims = volumeClaimTemplates.flatMap(({ spec }, index) => claimSpecWarnings(spec, `spec.volumeClaimTemplates[${index}]${suffix}`));
  if (revisionHistoryLimit >= 0) return claims;
  return [...claims, 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'];
}

// How replica sets are written, and what the server fills in.
import type { ReplicaSet } from '#kinds/apps/v1/replica-set.ts';
import { validateReplicaSet, validateReplicaSetStatusUpdate, validateReplicaSetUpdate } from '#kinds/apps/v1/replica-set-validation.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import { hostnameWarnings, podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultReplicaSet({ spec }: ReplicaSet): void {
  spec.replicas ??= 1;
}

export const replicaSetStrategy: Strategy<ReplicaSet> = {
  prepareForCreate(set, { gate }) {
    set.status = { replicas: 0 };
    startGeneration(set.metadata);
    dropGatedFields(set.spec.template.spec, undefined, gate);
  },
  validate: validateReplicaSet,
  warnOnCreate: ({ metadata, spec }) => [...hostnameWarnings(metadata.name, 'Pod names and hostnames'), ...podTemplateWarnings(spec.template, 'spec.template')],

  prepareForUpdate(set, old, { gate }) {
    set.status = old.status;
    dropGatedFields(set.spec.template.spec, old.spec.template.spec, gate);
    countGeneration(set.metadata, old.metadata, set.spec, old.spec);
  },
  validateUpdate: validateReplicaSetUpdate,
  warnOnUpdate: ({ metadata, spec }, old) => (metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(spec.template, 'spec.template')),

  subresources: {
    status: statusStrategy<ReplicaSet>({
      prepare({ status }, old, { gate }) {
        if (!gate('DeploymentReplicaSetTerminatingReplicas') && old.status.terminatingReplicas === undefined) delete status.terminatingReplicas;
      },
      validateUpdate: validateReplicaSetStatusUpdate,
      resetFields: [['spec']],
    }),
  },
};

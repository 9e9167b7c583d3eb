// How deployments are written, and what the server fills in.
import type { Deployment } from '#kinds/apps/v1/deployment.ts';
import { validateDeployment, validateDeploymentStatusUpdate, validateDeploymentUpdate } from '#kinds/apps/v1/deployment-validation.ts';
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import { hostnameWarnings, podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Strategy } from '#resource/strategy.ts';

export function defaultDeployment({ metadata, spec }: Deployment): void {
  spec.replicas ??= 1;
  const { strategy } = spec;
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= '25%';
    strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  // An old wish to roll back; empty, it is no wish at all.
  if (metadata.annotations?.[rollbackKey] === '') delete metadata.annotations[rollbackKey];
}

const rollbackKey = 'deprecated.deployment.rollback.to';

export const deploymentStrategy: Strategy<Deployment> = {
  prepareForCreate(deployment, { gate }) {
    deployment.status = {};
    startGeneration(deployment.metadata);
    dropGatedFields(deployment.spec.template.spec, undefined, gate);
  },
  validate: validateDeployment,
  warnOnCreate: ({ metadata, spec }) => [...hostnameWarnings(metadata.name, 'Pod names and hostnames'), ...podTemplateWarnings(spec.template, 'spec.template')],

  prepareForUpdate(deployment, old, { gate }) {
    const { metadata, spec } = deployment;
    deployment.status = old.status;
    dropGatedFields(spec.template.spec, old.spec.template.spec, gate);
    countGeneration(metadata, old.metadata, [spec, metadata.annotations], [old.spec, old.metadata.annotations]);
  },
  validateUpdate: validateDeploymentUpdate,
  warnOnUpdate: ({ metadata, spec }, old) => (metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(spec.template, 'spec.template')),

  subresources: {
    status: statusStrategy<Deployment>({
      keep: ['labels'],
      prepare({ status }, old, { gate }) {
        if (!gate('DeploymentReplicaSetTerminatingReplicas') && old.status.terminatingReplicas === undefined) delete status.terminatingReplicas;
      },
      validateUpdate: validateDeploymentStatusUpdate,
      resetFields: [['spec'], ['metadata', 'labels']],
    }),
  },
};

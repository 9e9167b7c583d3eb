// The ReplicaSet that a Deployment makes for a template.
import type { LabelSelectorObject } from '#api/label-selector.ts';
import { kinds } from '#client/kinds.ts';
import { nextSize, replicasOf } from '#controllers/workloads/deployment/plan-scale.ts';
import { hashLabel, revisionAnnotations, scaleAnnotations } from '#controllers/workloads/deployment/revisions.ts';
import type { StoredDeployment } from '#controllers/workloads/deployment/rollout-limits.ts';
import { controllerReference } from '#controllers/workloads/owner.ts';
import type { StoredReplicaSet } from '#controllers/workloads/replica-set-view.ts';
import type { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';

const longestName = 253;

export function newSetOf(
  deployment: StoredDeployment,
  old: readonly StoredReplicaSet[],
  revision: number,
  templateHash: (template: PodTemplateSpec, collisionCount?: number) => string,
): StoredReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status.collisionCount);
  const labels = { ...spec.template.metadata.labels, [hashLabel]: hash };
  const { matchLabels, ...selector } = (spec.selector ?? {}) as LabelSelectorObject;
  const present = old.reduce((total, set) => total + replicasOf(set), 0);
  return {
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name?.slice(0, longestName - 1 - hash.length)}-${hash}`,
      namespace: metadata.namespace,
      labels,
      annotations: { ...revisionAnnotations(deployment, undefined, revision), ...scaleAnnotations(deployment) },
      ownerReferences: [controllerReference(kinds.deployments, deployment)],
    },
    spec: {
      replicas: nextSize(deployment, present, 0),
      minReadySeconds: spec.minReadySeconds,
      selector: { ...selector, matchLabels: { ...matchLabels, [hashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: { replicas: 0 },
  } as StoredReplicaSet;
}

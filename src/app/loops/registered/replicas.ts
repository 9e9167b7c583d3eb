import type { BuildController } from '#app/loops/registration.ts';
import { deploymentController } from '#controllers/workloads/deployment/deployment-controller.ts';
import { replicaSetController } from '#controllers/workloads/replicas/replica-set-controller.ts';
import { replicationControllerController } from '#controllers/workloads/replicas/replication-controller-controller.ts';
import { podTemplateHash } from '#kinds/core/v1/pod/pod-template-hash.ts';

export const buildReplicaSetController: BuildController = ({ server: { reads }, loops, client }) =>
  replicaSetController({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildReplicationController: BuildController = ({ server: { reads }, loops, client }) =>
  replicationControllerController({ ...loops, client, sources: reads.sources, clock: reads.clock });

export const buildDeploymentController: BuildController = ({ server: { reads }, loops, client }) =>
  deploymentController({ ...loops, client, sources: reads.sources, clock: reads.clock, templateHash: podTemplateHash });

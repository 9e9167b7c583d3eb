import { deploymentColumns } from '#kinds/apps/v1/deployment-columns.ts';
import { defaultDeployment, deploymentStrategy } from '#kinds/apps/v1/deployment-strategy.ts';
import { Deployment, DeploymentList } from '#kinds/apps/v1/deployment.ts';
import { podTemplateDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { defineResource, workloadScale } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const deployments = defineResource<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  namespaced: true,
  schema: Deployment,
  defaults: [...podTemplateDefaults, defaultsOf(Deployment, defaultDeployment)],
  list: DeploymentList,
  shortNames: ['deploy'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'deployments', hash: '8aSe+NMegvE=' },
  lifecycle: { introduced: '1.9' },
  blank: { spec: { replicas: 0 } },
  strategy: deploymentStrategy,
  columns: deploymentColumns,
  subresources: [
    { name: 'scale', kind: 'Scale', verbs: ['get', 'patch', 'update'], group: 'autoscaling', version: 'v1', scale: workloadScale },
    { name: 'status', kind: 'Deployment', verbs: ['get', 'patch', 'update'] },
  ],
});

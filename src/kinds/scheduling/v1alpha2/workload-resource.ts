import { workloadColumns, workloadStrategy } from '#kinds/scheduling/v1alpha2/workload-strategy.ts';
import { PodGroupTemplate, Workload, WorkloadList } from '#kinds/scheduling/v1alpha2/workload.ts';
import { defineResource } from '#resource/definition.ts';

export const workloads = defineResource<Workload>({
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  kind: 'Workload',
  plural: 'workloads',
  singular: 'workload',
  namespaced: true,
  strategy: workloadStrategy(() => PodGroupTemplate),
  columns: workloadColumns,
  schema: Workload,
  list: WorkloadList,
  storage: { version: 'v1alpha2', prefix: 'workloads', hash: 'vSX7gJe5Mx8=' },
  enabled: false,
  featureGate: 'GenericWorkload',
});

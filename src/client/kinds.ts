// Addresses of the kinds that programs use most, with the types of their objects.
import type { TypedAddress } from '#client/typed-client.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import type { DaemonSet } from '#kinds/apps/v1/daemon-set.ts';
import type { Deployment } from '#kinds/apps/v1/deployment.ts';
import type { ReplicaSet } from '#kinds/apps/v1/replica-set.ts';
import type { StatefulSet } from '#kinds/apps/v1/stateful-set.ts';
import type { HorizontalPodAutoscaler } from '#kinds/autoscaling/v2/horizontal-pod-autoscaler.ts';
import type { CronJob } from '#kinds/batch/v1/cron-job.ts';
import type { Job } from '#kinds/batch/v1/job.ts';
import type { Lease } from '#kinds/coordination/v1/lease.ts';
import type { ConfigMap } from '#kinds/core/v1/config-map.ts';
import type { Endpoints } from '#kinds/core/v1/service/endpoints.ts';
import type { LimitRange } from '#kinds/core/v1/limit-range.ts';
import type { Namespace } from '#kinds/core/v1/namespace.ts';
import type { Node } from '#kinds/core/v1/node/node.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';
import type { PersistentVolume } from '#kinds/core/v1/volume/persistent-volume.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';
import type { ResourceQuota } from '#kinds/core/v1/resource-quota.ts';
import type { Secret } from '#kinds/core/v1/secret.ts';
import type { ServiceAccount } from '#kinds/core/v1/service-account.ts';
import type { Service } from '#kinds/core/v1/service/service.ts';
import type { EndpointSlice } from '#kinds/discovery/v1/endpoint-slice.ts';
import type { Event } from '#kinds/events/v1/event.ts';
import type { Ingress } from '#kinds/networking/v1/ingress.ts';
import type { NetworkPolicy } from '#kinds/networking/v1/network-policy.ts';
import type { PodDisruptionBudget } from '#kinds/policy/v1/pod-disruption-budget.ts';
import type { ClusterRoleBinding } from '#kinds/rbac/v1/cluster-role-binding.ts';
import type { ClusterRole } from '#kinds/rbac/v1/cluster-role.ts';
import type { RoleBinding } from '#kinds/rbac/v1/role-binding.ts';
import type { Role } from '#kinds/rbac/v1/role.ts';
import type { ResourceClaimTemplate } from '#kinds/resource/v1/resource-claim-template.ts';
import type { ResourceClaim } from '#kinds/resource/v1/resource-claim.ts';
import type { PriorityClass } from '#kinds/scheduling/v1/priority-class.ts';
import type { CSIDriver } from '#kinds/storage/v1/csi-driver.ts';
import type { StorageClass } from '#kinds/storage/v1/storage-class.ts';
import type { VolumeAttachment } from '#kinds/storage/v1/volume-attachment.ts';
import type { VolumeAttributesClass } from '#kinds/storage/v1/volume-attributes-class.ts';

export const kinds = {
  pods: namespaced<Pod>('', 'v1', 'pods', 'Pod'),
  services: namespaced<Service>('', 'v1', 'services', 'Service'),
  configMaps: namespaced<ConfigMap>('', 'v1', 'configmaps', 'ConfigMap'),
  secrets: namespaced<Secret>('', 'v1', 'secrets', 'Secret'),
  serviceAccounts: namespaced<ServiceAccount>('', 'v1', 'serviceaccounts', 'ServiceAccount'),
  endpoints: namespaced<Endpoints>('', 'v1', 'endpoints', 'Endpoints'),
  persistentVolumeClaims: namespaced<PersistentVolumeClaim>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim'),
  resourceQuotas: namespaced<ResourceQuota>('', 'v1', 'resourcequotas', 'ResourceQuota'),
  limitRanges: namespaced<LimitRange>('', 'v1', 'limitranges', 'LimitRange'),
  namespaces: clusterWide<Namespace>('', 'v1', 'namespaces', 'Namespace'),
  nodes: clusterWide<Node>('', 'v1', 'nodes', 'Node'),
  persistentVolumes: clusterWide<PersistentVolume>('', 'v1', 'persistentvolumes', 'PersistentVolume'),
  deployments: namespaced<Deployment>('apps', 'v1', 'deployments', 'Deployment'),
  replicaSets: namespaced<ReplicaSet>('apps', 'v1', 'replicasets', 'ReplicaSet'),
  daemonSets: namespaced<DaemonSet>('apps', 'v1', 'daemonsets', 'DaemonSet'),
  statefulSets: namespaced<StatefulSet>('apps', 'v1', 'statefulsets', 'StatefulSet'),
  jobs: namespaced<Job>('batch', 'v1', 'jobs', 'Job'),
  cronJobs: namespaced<CronJob>('batch', 'v1', 'cronjobs', 'CronJob'),
  horizontalPodAutoscalers: namespaced<HorizontalPodAutoscaler>('autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler'),
  ingresses: namespaced<Ingress>('networking.k8s.io', 'v1', 'ingresses', 'Ingress'),
  networkPolicies: namespaced<NetworkPolicy>('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy'),
  podDisruptionBudgets: namespaced<PodDisruptionBudget>('policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  roles: namespaced<Role>('rbac.authorization.k8s.io', 'v1', 'roles', 'Role'),
  roleBindings: namespaced<RoleBinding>('rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding'),
  clusterRoles: clusterWide<ClusterRole>('rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole'),
  clusterRoleBindings: clusterWide<ClusterRoleBinding>('rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding'),
  storageClasses: clusterWide<StorageClass>('storage.k8s.io', 'v1', 'storageclasses', 'StorageClass'),
  volumeAttributesClasses: clusterWide<VolumeAttributesClass>('storage.k8s.io', 'v1', 'volumeattributesclasses', 'VolumeAttributesClass'),
  volumeAttachments: clusterWide<VolumeAttachment>('storage.k8s.io', 'v1', 'volumeattachments', 'VolumeAttachment'),
  csiDrivers: clusterWide<CSIDriver>('storage.k8s.io', 'v1', 'csidrivers', 'CSIDriver'),
  resourceClaims: namespaced<ResourceClaim>('resource.k8s.io', 'v1', 'resourceclaims', 'ResourceClaim'),
  resourceClaimTemplates: namespaced<ResourceClaimTemplate>('resource.k8s.io', 'v1', 'resourceclaimtemplates', 'ResourceClaimTemplate'),
  priorityClasses: clusterWide<PriorityClass>('scheduling.k8s.io', 'v1', 'priorityclasses', 'PriorityClass'),
  endpointSlices: namespaced<EndpointSlice>('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice'),
  leases: namespaced<Lease>('coordination.k8s.io', 'v1', 'leases', 'Lease'),
  events: namespaced<Event>('events.k8s.io', 'v1', 'events', 'Event'),
  customResourceDefinitions: clusterWide<CustomResourceDefinition>('apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition'),
} as const;

function namespaced<T>(group: string, version: string, resource: string, kind: string): TypedAddress<T> {
  return { group, version, resource, kind, namespaced: true };
}

function clusterWide<T>(group: string, version: string, resource: string, kind: string): TypedAddress<T> {
  return { group, version, resource, kind, namespaced: false };
}

// The built-in groups in the order of discovery, with the priorities of their APIServices.
import type { GroupPriority } from '#resource/catalog.ts';

export const apiGroups: readonly GroupPriority[] = [
  { name: '', priority: 18000, versions: { v1: 1 } },
  { name: 'apiregistration.k8s.io', priority: 20001, versions: { v1: 0 } },
  { name: 'apps', priority: 17800, versions: { v1: 15 } },
  { name: 'events.k8s.io', priority: 17750, versions: { v1: 15 } },
  { name: 'authentication.k8s.io', priority: 17700, versions: { v1: 15 } },
  { name: 'authorization.k8s.io', priority: 17600, versions: { v1: 15 } },
  { name: 'autoscaling', priority: 17500, versions: { v2: 30, v1: 15 } },
  { name: 'batch', priority: 17400, versions: { v1: 15 } },
  { name: 'certificates.k8s.io', priority: 17300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
  { name: 'networking.k8s.io', priority: 17200, versions: { v1: 15, v1beta1: 9 } },
  { name: 'policy', priority: 17100, versions: { v1: 15 } },
  { name: 'rbac.authorization.k8s.io', priority: 17000, versions: { v1: 15 } },
  { name: 'storage.k8s.io', priority: 16800, versions: { v1: 15, v1beta1: 9 } },
  { name: 'admissionregistration.k8s.io', priority: 16700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
  { name: 'apiextensions.k8s.io', priority: 16700, versions: { v1: 15 } },
  { name: 'scheduling.k8s.io', priority: 16600, versions: { v1: 15, v1alpha2: 2 } },
  { name: 'coordination.k8s.io', priority: 16500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12 } },
  { name: 'node.k8s.io', priority: 16300, versions: { v1: 15 } },
  { name: 'discovery.k8s.io', priority: 16200, versions: { v1: 15 } },
  { name: 'resource.k8s.io', priority: 16200, versions: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 } },
  { name: 'flowcontrol.apiserver.k8s.io', priority: 16100, versions: { v1: 21 } },
  { name: 'internal.apiserver.k8s.io', priority: 16000, versions: { v1alpha1: 9 } },
  { name: 'storagemigration.k8s.io', priority: 15800, versions: { v1beta1: 9 } },
];

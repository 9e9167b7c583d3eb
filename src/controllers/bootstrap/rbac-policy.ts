// The roles and bindings every cluster starts with, as the original has them with default feature gates.
import { sharedRoles } from '#controllers/bootstrap/rbac-cluster-roles.ts';
import { controllerRoles } from '#controllers/bootstrap/rbac-controller-roles.ts';
import { allow, type BootstrapBinding, type BootstrapRole } from '#controllers/bootstrap/rbac-notation.ts';

export const clusterRoles: readonly BootstrapRole[] = byName([
  ...sharedRoles,
  ...controllerRoles.map((role) => ({ ...role, name: `system:controller:${role.name}` })),
]);

export const roles: readonly BootstrapRole[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    rules: [
      allow('get list watch', 'core', 'configmaps'),
      allow('update', 'core', 'configmaps', 'cluster-info'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    rules: [allow('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    rules: [
      allow('create get list update watch', 'coordination.k8s.io', 'leases'),
      allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    rules: [
      allow('create get list update watch', 'coordination.k8s.io', 'leases'),
      allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
  },
  { name: 'system:controller:bootstrap-signer', namespace: 'kube-system', rules: [allow('get list watch', 'core', 'secrets')] },
  { name: 'system:controller:cloud-provider', namespace: 'kube-system', rules: [allow('create get list watch', 'core', 'configmaps')] },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    rules: [allow('delete get list watch', 'core', 'secrets'), allow('create patch update', 'core events.k8s.io', 'events')],
  },
];

export const clusterRoleBindings: readonly BootstrapBinding[] = byName([
  { name: 'cluster-admin', role: 'ClusterRole/cluster-admin', subjects: ['Group/system:masters'] },
  { name: 'system:basic-user', role: 'ClusterRole/system:basic-user', subjects: ['Group/system:authenticated'] },
  { name: 'system:discovery', role: 'ClusterRole/system:discovery', subjects: ['Group/system:authenticated'] },
  { name: 'system:kube-controller-manager', role: 'ClusterRole/system:kube-controller-manager', subjects: ['User/system:kube-controller-manager'] },
  { name: 'system:kube-dns', role: 'ClusterRole/system:kube-dns', subjects: ['ServiceAccount/kube-system/kube-dns'] },
  { name: 'system:kube-scheduler', role: 'ClusterRole/system:kube-scheduler', subjects: ['User/system:kube-scheduler'] },
  { name: 'system:monitoring', role: 'ClusterRole/system:monitoring', subjects: ['Group/system:monitoring'] },
  { name: 'system:node', role: 'ClusterRole/system:node', subjects: [] },
  { name: 'system:node-proxier', role: 'ClusterRole/system:node-proxier', subjects: ['User/system:kube-proxy'] },
  {
    name: 'system:public-info-viewer',
    role: 'ClusterRole/system:public-info-viewer',
    subjects: ['Group/system:authenticated', 'Group/system:unauthenticated'],
  },
  { name: 'system:service-account-issuer-discovery', role: 'ClusterRole/system:service-account-issuer-discovery', subjects: ['Group/system:serviceaccounts'] },
  { name: 'system:volume-scheduler', role: 'ClusterRole/system:volume-scheduler', subjects: ['User/system:kube-scheduler'] },
  ...controllerRoles.map(({ name }) => ({
    name: `system:controller:${name}`,
    role: `ClusterRole/system:controller:${name}`,
    subjects: [`ServiceAccount/kube-system/${name}`],
  })),
]);

export const roleBindings: readonly BootstrapBinding[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-public',
    role: 'Role/system:controller:bootstrap-signer',
    subjects: ['ServiceAccount/kube-system/bootstrap-signer'],
  },
  {
    name: 'system::extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    role: 'Role/extension-apiserver-authentication-reader',
    subjects: ['User/system:kube-controller-manager', 'User/system:kube-scheduler'],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'kube-system',
    role: 'Role/system::leader-locking-kube-controller-manager',
    subjects: [
      'User/system:kube-controller-manager',
      'ServiceAccount/kube-system/kube-controller-manager',
      'ServiceAccount/kube-system/leader-election-controller',
    ],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'kube-system',
    role: 'Role/system::leader-locking-kube-scheduler',
    subjects: ['User/system:kube-scheduler', 'ServiceAccount/kube-system/kube-scheduler'],
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'kube-system',
    role: 'Role/system:controller:bootstrap-signer',
    subjects: ['ServiceAccount/kube-system/bootstrap-signer'],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'kube-system',
    role: 'Role/system:controller:cloud-provider',
    subjects: ['ServiceAccount/kube-system/cloud-provider'],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'kube-system',
    role: 'Role/system:controller:token-cleaner',
    subjects: ['ServiceAccount/kube-system/token-cleaner'],
  },
];

function byName<T extends { readonly name: string }>(all: readonly T[]): readonly T[] {
  return [...all].sort((a, b) => (a.name < b.name ? -1 : 1));
}

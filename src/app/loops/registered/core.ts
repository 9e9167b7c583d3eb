// Namespaces, owners, service accounts, quotas and roles: what any cluster has, whatever runs in it.
import type { Registrations } from '#app/loops/registration.ts';

export const coreControllers: Registrations = {
  'clusterrole-aggregation-controller': {
    account: 'clusterrole-aggregation-controller',
    load: async () => (await import('#app/loops/registered/clusterrole-aggregation.ts')).buildClusterRoleAggregation,
  },
  'garbage-collector-controller': {
    account: 'generic-garbage-collector',
    load: async () => (await import('#app/loops/registered/garbage-collector.ts')).buildGarbageCollector,
  },
  'legacy-serviceaccount-token-cleaner-controller': {
    account: 'legacy-service-account-token-cleaner',
    load: async () => (await import('#app/loops/registered/service-account-tokens.ts')).buildTokenCleaner,
  },
  'namespace-controller': {
    account: 'namespace-controller',
    load: async () => (await import('#app/loops/registered/namespace.ts')).buildNamespaceController,
  },
  'resourcequota-controller': {
    account: 'resourcequota-controller',
    load: async () => (await import('#app/loops/registered/resource-quota.ts')).buildResourceQuotaController,
  },
  'root-ca-certificate-publisher-controller': {
    account: 'root-ca-cert-publisher',
    load: async () => (await import('#app/loops/registered/root-ca-publisher.ts')).buildRootCaPublisher,
  },
  'serviceaccount-controller': {
    account: 'service-account-controller',
    load: async () => (await import('#app/loops/registered/service-account.ts')).buildServiceAccountController,
  },
  'serviceaccount-token-controller': {
    account: 'the manager',
    load: async () => (await import('#app/loops/registered/service-account-tokens.ts')).buildTokenController,
  },
};

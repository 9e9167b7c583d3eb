import { trustBundleColumns, trustBundleStrategy } from '#kinds/certificates/v1beta1/cluster-trust-bundle-strategy.ts';
import { ClusterTrustBundle, ClusterTrustBundleList } from '#kinds/certificates/v1beta1/cluster-trust-bundle.ts';
import { defineResource } from '#resource/definition.ts';

export const clustertrustbundles = defineResource<ClusterTrustBundle>({
  group: 'certificates.k8s.io',
  version: 'v1beta1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  singular: 'clustertrustbundle',
  namespaced: false,
  strategy: trustBundleStrategy,
  columns: trustBundleColumns,
  schema: ClusterTrustBundle,
  list: ClusterTrustBundleList,
  storage: { version: 'v1beta1', prefix: 'clustertrustbundles', hash: 'v5yhuVertL4=' },
  enabled: false,
  featureGate: 'ClusterTrustBundle',
  lifecycle: { introduced: '1.33', deprecated: '1.37', removed: '1.40' },
});

import { ClusterTrustBundle, ClusterTrustBundleList } from '#kinds/certificates/v1alpha1/cluster-trust-bundle.ts';
import { defineResource } from '#resource/definition.ts';

export const clustertrustbundles = defineResource<ClusterTrustBundle>({
  group: 'certificates.k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterTrustBundle',
  plural: 'clustertrustbundles',
  singular: 'clustertrustbundle',
  namespaced: false,
  schema: ClusterTrustBundle,
  list: ClusterTrustBundleList,
  storage: { version: 'v1beta1', prefix: 'clustertrustbundles', hash: 'v5yhuVertL4=' },
  enabled: false,
  featureGate: 'ClusterTrustBundle',
  lifecycle: { introduced: '1.26', deprecated: '1.34', removed: '1.37' },
});

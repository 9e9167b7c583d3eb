import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ClusterTrustBundle = rootStruct(
  'io.k8s.api.certificates.v1beta1.ClusterTrustBundle',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<ClusterTrustBundleSpec>(ClusterTrustBundleSpec)),
  }),
  { gvks: [['certificates.k8s.io', 'v1beta1', 'ClusterTrustBundle']] },
);
export interface ClusterTrustBundle extends Infer<typeof ClusterTrustBundle> {}

export const ClusterTrustBundleList = rootStruct(
  'io.k8s.api.certificates.v1beta1.ClusterTrustBundleList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ClusterTrustBundle>(ClusterTrustBundle))),
  }),
  { gvks: [['certificates.k8s.io', 'v1beta1', 'ClusterTrustBundleList']] },
);
export interface ClusterTrustBundleList extends Infer<typeof ClusterTrustBundleList> {}

export const ClusterTrustBundleSpec = struct('io.k8s.api.certificates.v1beta1.ClusterTrustBundleSpec', () => ({
  signerName: optional(1, string),
  trustBundle: required(2, string),
}));
export interface ClusterTrustBundleSpec extends Infer<typeof ClusterTrustBundleSpec> {}

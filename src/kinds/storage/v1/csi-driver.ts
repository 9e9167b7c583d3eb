import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, int64, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const CSIDriver = rootStruct(
  'io.k8s.api.storage.v1.CSIDriver',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<CSIDriverSpec>(CSIDriverSpec)),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'CSIDriver']] },
);
export interface CSIDriver extends Infer<typeof CSIDriver> {}

export const CSIDriverList = rootStruct(
  'io.k8s.api.storage.v1.CSIDriverList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CSIDriver>(CSIDriver))),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'CSIDriverList']] },
);
export interface CSIDriverList extends Infer<typeof CSIDriverList> {}

export const CSIDriverSpec = struct('io.k8s.api.storage.v1.CSIDriverSpec', () => ({
  attachRequired: pointer(1, boolean),
  podInfoOnMount: pointer(2, boolean),
  volumeLifecycleModes: optional(3, list(string), { merge: 'set', goType: '[]v1.VolumeLifecycleMode' }),
  storageCapacity: pointer(4, boolean),
  fsGroupPolicy: pointer(5, string, { goType: 'v1.FSGroupPolicy' }),
  tokenRequests: optional(6, list(ref<TokenRequest>(TokenRequest)), { merge: 'atomic' }),
  requiresRepublish: pointer(7, boolean),
  seLinuxMount: pointer(8, boolean),
  nodeAllocatableUpdatePeriodSeconds: pointer(9, int64),
  serviceAccountTokenInSecrets: pointer(10, boolean),
  preventPodSchedulingIfMissing: pointer(11, boolean),
}));
export interface CSIDriverSpec extends Infer<typeof CSIDriverSpec> {}

export const TokenRequest = struct('io.k8s.api.storage.v1.TokenRequest', () => ({
  audience: required(1, string),
  expirationSeconds: pointer(2, int64),
}));
export interface TokenRequest extends Infer<typeof TokenRequest> {}

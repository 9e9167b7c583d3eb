import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int64, list, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const StorageVersion = rootStruct(
  'io.k8s.api.apiserverinternal.v1alpha1.StorageVersion',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta), { mandatory: true }),
    spec: embedded(2, ref<StorageVersionSpec>(StorageVersionSpec), { written: 'always' }),
    status: embedded(3, ref<StorageVersionStatus>(StorageVersionStatus), { written: 'always' }),
  }),
  { gvks: [['internal.apiserver.k8s.io', 'v1alpha1', 'StorageVersion']] },
);
export interface StorageVersion extends Infer<typeof StorageVersion> {}

export const StorageVersionList = rootStruct(
  'io.k8s.api.apiserverinternal.v1alpha1.StorageVersionList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<StorageVersion>(StorageVersion))),
  }),
  { gvks: [['internal.apiserver.k8s.io', 'v1alpha1', 'StorageVersionList']] },
);
export interface StorageVersionList extends Infer<typeof StorageVersionList> {}

export const ServerStorageVersion = struct('io.k8s.api.apiserverinternal.v1alpha1.ServerStorageVersion', () => ({
  apiServerID: required(1, string, { written: 'nonempty' }),
  encodingVersion: required(2, string, { written: 'nonempty' }),
  decodableVersions: required(3, list(string), { written: 'nonempty', merge: 'set' }),
  servedVersions: optional(4, list(string), { merge: 'set' }),
}));
export interface ServerStorageVersion extends Infer<typeof ServerStorageVersion> {}

export const StorageVersionSpec = struct('io.k8s.api.apiserverinternal.v1alpha1.StorageVersionSpec', () => ({}));
export interface StorageVersionSpec extends Infer<typeof StorageVersionSpec> {}

export const StorageVersionStatus = struct('io.k8s.api.apiserverinternal.v1alpha1.StorageVersionStatus', () => ({
  storageVersions: optional(1, list(ref<ServerStorageVersion>(ServerStorageVersion)), { merge: { keys: ['apiServerID'] } }),
  commonEncodingVersion: pointer(2, string),
  conditions: optional(3, list(ref<StorageVersionCondition>(StorageVersionCondition)), { merge: { keys: ['type'] } }),
}));
export interface StorageVersionStatus extends Infer<typeof StorageVersionStatus> {}

export const StorageVersionCondition = struct('io.k8s.api.apiserverinternal.v1alpha1.StorageVersionCondition', () => ({
  type: required(1, string, { goType: 'v1alpha1.StorageVersionConditionType' }),
  status: required(2, string, { goType: 'v1alpha1.ConditionStatus' }),
  observedGeneration: optional(3, int64),
  lastTransitionTime: optional(4, time),
  reason: required(5, string),
  message: required(6, string, { written: 'nonempty' }),
}));
export interface StorageVersionCondition extends Infer<typeof StorageVersionCondition> {}

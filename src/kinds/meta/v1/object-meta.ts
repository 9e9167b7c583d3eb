import { boolean, fieldsV1, type Infer, int64, list, map, optional, pointer, ref, required, string, struct, time } from '#schema/build.ts';

export const ObjectMeta = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', () => ({
  name: optional(1, string),
  generateName: optional(2, string),
  namespace: optional(3, string),
  selfLink: optional(4, string),
  uid: optional(5, string, { goType: 'types.UID' }),
  resourceVersion: optional(6, string),
  generation: optional(7, int64),
  creationTimestamp: optional(8, time, { written: 'nonzero' }),
  deletionTimestamp: pointer(9, time),
  deletionGracePeriodSeconds: pointer(10, int64),
  labels: optional(11, map(string)),
  annotations: optional(12, map(string)),
  ownerReferences: optional(13, list(ref<OwnerReference>(OwnerReference)), { merge: { keys: ['uid'] }, patch: { strategy: 'merge', key: 'uid' } }),
  finalizers: optional(14, list(string), { merge: 'set', patch: { strategy: 'merge' } }),
  managedFields: optional(17, list(ref<ManagedFieldsEntry>(ManagedFieldsEntry)), { merge: 'atomic' }),
}));
export interface ObjectMeta extends Infer<typeof ObjectMeta> {}

export const OwnerReference = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference',
  () => ({
    apiVersion: required(5, string),
    kind: required(1, string),
    name: required(3, string),
    uid: required(4, string, { goType: 'types.UID' }),
    controller: pointer(6, boolean),
    blockOwnerDeletion: pointer(7, boolean),
  }),
  { atomic: true },
);
export interface OwnerReference extends Infer<typeof OwnerReference> {}

export const ManagedFieldsEntry = struct('io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry', () => ({
  manager: optional(1, string),
  operation: optional(2, string, { goType: 'v1.ManagedFieldsOperationType' }),
  apiVersion: optional(3, string),
  time: pointer(4, time),
  fieldsType: optional(6, string),
  fieldsV1: pointer(7, fieldsV1),
  subresource: optional(8, string),
}));
export interface ManagedFieldsEntry extends Infer<typeof ManagedFieldsEntry> {}

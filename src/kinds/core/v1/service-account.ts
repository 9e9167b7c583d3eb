import { LocalObjectReference, ObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { boolean, embedded, type Infer, list, optional, pointer, ref, required, rootStruct } from '#schema/build.ts';

export const ServiceAccount = rootStruct(
  'io.k8s.api.core.v1.ServiceAccount',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    secrets: optional(2, list(ref<ObjectReference>(ObjectReference)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
    imagePullSecrets: optional(3, list(ref<LocalObjectReference>(LocalObjectReference)), { merge: 'atomic' }),
    automountServiceAccountToken: pointer(4, boolean),
  }),
  { gvks: [['', 'v1', 'ServiceAccount']] },
);
export interface ServiceAccount extends Infer<typeof ServiceAccount> {}

export const ServiceAccountList = rootStruct(
  'io.k8s.api.core.v1.ServiceAccountList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<ServiceAccount>(ServiceAccount))),
  }),
  { gvks: [['', 'v1', 'ServiceAccountList']] },
);
export interface ServiceAccountList extends Infer<typeof ServiceAccountList> {}

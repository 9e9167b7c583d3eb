import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, optional, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const Namespace = rootStruct(
  'io.k8s.api.core.v1.Namespace',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<NamespaceSpec>(NamespaceSpec)),
    status: embedded(3, ref<NamespaceStatus>(NamespaceStatus)),
  }),
  { gvks: [['', 'v1', 'Namespace']] },
);
export interface Namespace extends Infer<typeof Namespace> {}

export const NamespaceList = rootStruct(
  'io.k8s.api.core.v1.NamespaceList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Namespace>(Namespace))),
  }),
  { gvks: [['', 'v1', 'NamespaceList']] },
);
export interface NamespaceList extends Infer<typeof NamespaceList> {}

export const NamespaceSpec = struct('io.k8s.api.core.v1.NamespaceSpec', () => ({
  finalizers: optional(1, list(string), { merge: 'atomic', goType: '[]v1.FinalizerName' }),
}));
export interface NamespaceSpec extends Infer<typeof NamespaceSpec> {}

export const NamespaceStatus = struct('io.k8s.api.core.v1.NamespaceStatus', () => ({
  phase: optional(1, string, { enum: ['Active', 'Terminating'], goType: 'v1.NamespacePhase' }),
  conditions: optional(2, list(ref<NamespaceCondition>(NamespaceCondition)), { merge: { keys: ['type'] }, patch: { strategy: 'merge', key: 'type' } }),
}));
export interface NamespaceStatus extends Infer<typeof NamespaceStatus> {}

export const NamespaceCondition = struct('io.k8s.api.core.v1.NamespaceCondition', () => ({
  type: required(1, string, { goType: 'v1.NamespaceConditionType' }),
  status: required(2, string, { goType: 'v1.ConditionStatus' }),
  lastTransitionTime: optional(4, time),
  reason: optional(5, string),
  message: optional(6, string),
}));
export interface NamespaceCondition extends Infer<typeof NamespaceCondition> {}

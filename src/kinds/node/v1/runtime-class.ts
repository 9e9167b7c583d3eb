import { Toleration } from '#kinds/core/v1/container/toleration.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, list, map, optional, pointer, quantity, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const RuntimeClass = rootStruct(
  'io.k8s.api.node.v1.RuntimeClass',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    handler: required(2, string),
    overhead: pointer(3, ref<Overhead>(Overhead)),
    scheduling: pointer(4, ref<Scheduling>(Scheduling)),
  }),
  { gvks: [['node.k8s.io', 'v1', 'RuntimeClass']] },
);
export interface RuntimeClass extends Infer<typeof RuntimeClass> {}

export const RuntimeClassList = rootStruct(
  'io.k8s.api.node.v1.RuntimeClassList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<RuntimeClass>(RuntimeClass))),
  }),
  { gvks: [['node.k8s.io', 'v1', 'RuntimeClassList']] },
);
export interface RuntimeClassList extends Infer<typeof RuntimeClassList> {}

export const Overhead = struct('io.k8s.api.node.v1.Overhead', () => ({
  podFixed: optional(1, map(quantity), { goType: 'v1.ResourceList' }),
}));
export interface Overhead extends Infer<typeof Overhead> {}

export const Scheduling = struct('io.k8s.api.node.v1.Scheduling', () => ({
  nodeSelector: optional(1, map(string), { atomic: true }),
  tolerations: optional(2, list(ref<Toleration>(Toleration)), { merge: 'atomic' }),
}));
export interface Scheduling extends Infer<typeof Scheduling> {}

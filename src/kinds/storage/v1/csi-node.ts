import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, optional, pointer, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const CSINode = rootStruct(
  'io.k8s.api.storage.v1.CSINode',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: required(2, ref<CSINodeSpec>(CSINodeSpec)),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'CSINode']] },
);
export interface CSINode extends Infer<typeof CSINode> {}

export const CSINodeList = rootStruct(
  'io.k8s.api.storage.v1.CSINodeList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<CSINode>(CSINode))),
  }),
  { gvks: [['storage.k8s.io', 'v1', 'CSINodeList']] },
);
export interface CSINodeList extends Infer<typeof CSINodeList> {}

export const CSINodeSpec = struct('io.k8s.api.storage.v1.CSINodeSpec', () => ({
  drivers: required(1, list(ref<CSINodeDriver>(CSINodeDriver)), { merge: { keys: ['name'] }, patch: { strategy: 'merge', key: 'name' } }),
}));
export interface CSINodeSpec extends Infer<typeof CSINodeSpec> {}

export const CSINodeDriver = struct('io.k8s.api.storage.v1.CSINodeDriver', () => ({
  name: required(1, string),
  nodeID: required(2, string),
  topologyKeys: optional(3, list(string), { written: 'always', merge: 'atomic' }),
  allocatable: pointer(4, ref<VolumeNodeResources>(VolumeNodeResources)),
}));
export interface CSINodeDriver extends Infer<typeof CSINodeDriver> {}

export const VolumeNodeResources = struct('io.k8s.api.storage.v1.VolumeNodeResources', () => ({
  count: pointer(1, int32),
}));
export interface VolumeNodeResources extends Infer<typeof VolumeNodeResources> {}

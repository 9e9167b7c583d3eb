import { proxyMethods, upgradingMethods } from '#kinds/core/v1/connect-methods.ts';
import { podColumns, podRowCondition } from '#kinds/core/v1/pod/pod-columns.ts';
import { defaultPod } from '#kinds/core/v1/pod/pod-defaults.ts';
import { podStrategy } from '#kinds/core/v1/pod/pod-strategy.ts';
import { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { PodStatus } from '#kinds/core/v1/pod/pod-status.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { defineResource } from '#resource/definition.ts';
import { embedded, type Infer, list, ref, required, rootStruct } from '#schema/build.ts';

export const Pod = rootStruct(
  'io.k8s.api.core.v1.Pod',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta)),
    spec: embedded(2, ref<PodSpec>(PodSpec)),
    status: embedded(3, ref<PodStatus>(PodStatus)),
  }),
  { gvks: [['', 'v1', 'Pod']], defaults: defaultPod },
);
export interface Pod extends Infer<typeof Pod> {}

export const PodList = rootStruct(
  'io.k8s.api.core.v1.PodList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Pod>(Pod))),
  }),
  { gvks: [['', 'v1', 'PodList']] },
);
export interface PodList extends Infer<typeof PodList> {}

export const pods = defineResource<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  namespaced: true,
  schema: Pod,
  list: PodList,
  shortNames: ['po'],
  categories: ['all'],
  storage: { version: 'v1', prefix: 'pods', hash: 'xPOwRZ+Yhw8=' },
  lifecycle: { introduced: '1.0' },
  strategy: podStrategy,
  columns: podColumns,
  rowCondition: podRowCondition,
  subresources: [
    { name: 'attach', kind: 'PodAttachOptions', verbs: ['create', 'get'], connects: upgradingMethods },
    { name: 'binding', kind: 'Binding', verbs: ['create'] },
    { name: 'ephemeralcontainers', kind: 'Pod', verbs: ['get', 'patch', 'update'], tables: false },
    { name: 'eviction', kind: 'Eviction', verbs: ['create'], group: 'policy', version: 'v1' },
    { name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'], connects: upgradingMethods },
    { name: 'log', kind: 'Pod', verbs: ['get'], tables: false },
    { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'], connects: upgradingMethods },
    { name: 'proxy', kind: 'PodProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'], connects: proxyMethods },
    { name: 'resize', kind: 'Pod', verbs: ['get', 'patch', 'update'], featureGate: 'InPlacePodVerticalScaling', tables: false },
    { name: 'status', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
  ],
});

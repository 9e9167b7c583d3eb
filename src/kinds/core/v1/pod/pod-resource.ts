import { proxyMethods, upgradingMethods } from '#kinds/core/v1/connect-methods.ts';
import { podColumns, podRowCondition } from '#kinds/core/v1/pod/pod-columns.ts';
import { podStrategy } from '#kinds/core/v1/pod/pod-strategy.ts';
import { Pod, PodList } from '#kinds/core/v1/pod/pod.ts';
import { podDefaults } from '#kinds/core/v1/pod/pod-defaults.ts';
import { defineResource } from '#resource/definition.ts';

export const pods = defineResource<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  namespaced: true,
  schema: Pod,
  defaults: podDefaults,
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

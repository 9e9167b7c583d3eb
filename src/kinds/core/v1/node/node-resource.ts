import { proxyMethods } from '#kinds/core/v1/connect-methods.ts';
import { nodeColumns } from '#kinds/core/v1/node/node-columns.ts';
import { defaultNodeSpec, defaultNodeStatus, nodeStrategy } from '#kinds/core/v1/node/node-strategy.ts';
import { Node, NodeList, NodeSpec, NodeStatus } from '#kinds/core/v1/node/node.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const nodes = defineResource<Node>({
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  singular: 'node',
  namespaced: false,
  strategy: nodeStrategy,
  columns: nodeColumns,
  schema: Node,
  defaults: [defaultsOf(NodeSpec, defaultNodeSpec), defaultsOf(NodeStatus, defaultNodeStatus)],
  list: NodeList,
  shortNames: ['no'],
  storage: { version: 'v1', prefix: 'minions', hash: 'XwShjMxG9Fs=' },
  lifecycle: { introduced: '1.0' },
  subresources: [
    { name: 'proxy', kind: 'NodeProxyOptions', verbs: ['create', 'delete', 'get', 'patch', 'update'], connects: proxyMethods },
    { name: 'status', kind: 'Node', verbs: ['get', 'patch', 'update'] },
  ],
});

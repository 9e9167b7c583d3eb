import { defaultNamespace, defaultNamespaceStatus, namespaceColumns, namespaceStrategy } from '#kinds/core/v1/namespace-strategy.ts';
import { Namespace, NamespaceList, NamespaceStatus } from '#kinds/core/v1/namespace.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const namespaces = defineResource<Namespace>({
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  namespaced: false,
  strategy: namespaceStrategy,
  columns: namespaceColumns,
  schema: Namespace,
  defaults: [defaultsOf(Namespace, defaultNamespace), defaultsOf(NamespaceStatus, defaultNamespaceStatus)],
  list: NamespaceList,
  shortNames: ['ns'],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  storage: { version: 'v1', prefix: 'namespaces', hash: 'Q3oi5N2YM8M=' },
  lifecycle: { introduced: '1.0' },
  subresources: [
    { name: 'finalize', kind: 'Namespace', verbs: ['update'] },
    { name: 'status', kind: 'Namespace', verbs: ['get', 'patch', 'update'] },
  ],
});

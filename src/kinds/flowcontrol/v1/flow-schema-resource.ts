import { defaultFlowSchemaSpec, flowSchemaColumns, flowSchemaStrategy } from '#kinds/flowcontrol/v1/flow-schema-strategy.ts';
import { FlowSchema, FlowSchemaList, FlowSchemaSpec } from '#kinds/flowcontrol/v1/flow-schema.ts';
import { defineResource } from '#resource/definition.ts';
import { defaultsOf } from '#schema/defaults.ts';

export const flowschemas = defineResource<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  singular: 'flowschema',
  namespaced: false,
  strategy: flowSchemaStrategy(() => FlowSchemaSpec),
  columns: flowSchemaColumns,
  schema: FlowSchema,
  defaults: [defaultsOf(FlowSchemaSpec, defaultFlowSchemaSpec)],
  list: FlowSchemaList,
  storage: { version: 'v1', prefix: 'flowschemas', hash: 'GJVAJZSZBIw=' },
  lifecycle: { introduced: '1.29' },
  subresources: [{ name: 'status', kind: 'FlowSchema', verbs: ['get', 'patch', 'update'] }],
});

import { controllerRevisionColumns, controllerRevisionStrategy } from '#kinds/apps/v1/controller-revision-strategy.ts';
import { ControllerRevision, ControllerRevisionList } from '#kinds/apps/v1/controller-revision.ts';
import { defineResource } from '#resource/definition.ts';

export const controllerrevisions = defineResource<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  singular: 'controllerrevision',
  namespaced: true,
  schema: ControllerRevision,
  list: ControllerRevisionList,
  storage: { version: 'v1', prefix: 'controllerrevisions', hash: '85nkx63pcBU=' },
  lifecycle: { introduced: '1.9' },
  strategy: controllerRevisionStrategy,
  columns: controllerRevisionColumns,
});

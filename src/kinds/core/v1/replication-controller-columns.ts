import type { ReplicationController } from '#kinds/core/v1/replication-controller.ts';
import { ageColumn, containerNamesCell, imagesCell, labelsCell, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

export const replicationControllerColumns: readonly Column<ReplicationController>[] = [
  nameColumn(),
  { name: 'Desired', type: 'integer', read: ({ spec }) => spec.replicas ?? 0 },
  { name: 'Current', type: 'integer', read: ({ status }) => status.replicas },
  { name: 'Ready', type: 'integer', read: ({ status }) => status.readyReplicas ?? 0 },
  ageColumn(),
  { name: 'Containers', type: 'string', priority: 1, read: ({ spec }) => containerNamesCell(spec.template?.spec) },
  { name: 'Images', type: 'string', priority: 1, read: ({ spec }) => imagesCell(spec.template?.spec) },
  { name: 'Selector', type: 'string', priority: 1, read: ({ spec }) => labelsCell(spec.selector) },
];

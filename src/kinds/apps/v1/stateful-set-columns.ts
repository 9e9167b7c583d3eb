import type { StatefulSet } from '#kinds/apps/v1/stateful-set.ts';
import { ageColumn, containerNamesCell, imagesCell, nameColumn } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

export const statefulSetColumns: readonly Column<StatefulSet>[] = [
  nameColumn(),
  { name: 'Ready', type: 'string', read: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}` },
  ageColumn(),
  { name: 'Containers', type: 'string', priority: 1, read: ({ spec }) => containerNamesCell(spec.template.spec) },
  { name: 'Images', type: 'string', priority: 1, read: ({ spec }) => imagesCell(spec.template.spec) },
];

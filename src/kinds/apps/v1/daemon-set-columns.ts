import type { DaemonSet } from '#kinds/apps/v1/daemon-set.ts';
import { ageColumn, containerNamesCell, imagesCell, labelsCell, nameColumn, selectorCell } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

export const daemonSetColumns: readonly Column<DaemonSet>[] = [
  nameColumn(),
  { name: 'Desired', type: 'integer', read: ({ status }) => status.desiredNumberScheduled },
  { name: 'Current', type: 'integer', read: ({ status }) => status.currentNumberScheduled },
  { name: 'Ready', type: 'integer', read: ({ status }) => status.numberReady },
  { name: 'Up-to-date', type: 'integer', read: ({ status }) => status.updatedNumberScheduled ?? 0 },
  { name: 'Available', type: 'integer', read: ({ status }) => status.numberAvailable ?? 0 },
  { name: 'Node Selector', type: 'string', read: ({ spec }) => labelsCell(spec.template.spec.nodeSelector) },
  ageColumn(),
  { name: 'Containers', type: 'string', priority: 1, read: ({ spec }) => containerNamesCell(spec.template.spec) },
  { name: 'Images', type: 'string', priority: 1, read: ({ spec }) => imagesCell(spec.template.spec) },
  { name: 'Selector', type: 'string', priority: 1, read: ({ spec }) => selectorCell(spec.selector) },
];

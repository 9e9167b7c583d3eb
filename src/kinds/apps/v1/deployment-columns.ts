import type { Deployment } from '#kinds/apps/v1/deployment.ts';
import { ageColumn, containerNamesCell, imagesCell, nameColumn } from '#kinds/rules/cells.ts';
import { compiledSelector } from '#kinds/rules/label-selectors.ts';
import type { Column } from '#resource/column.ts';

export const deploymentColumns: readonly Column<Deployment>[] = [
  nameColumn(),
  { name: 'Ready', type: 'string', read: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}` },
  { name: 'Up-to-date', type: 'string', read: ({ status }) => status.updatedReplicas ?? 0 },
  { name: 'Available', type: 'string', read: ({ status }) => status.availableReplicas ?? 0 },
  ageColumn(),
  { name: 'Containers', type: 'string', priority: 1, read: ({ spec }) => containerNamesCell(spec.template.spec) },
  { name: 'Images', type: 'string', priority: 1, read: ({ spec }) => imagesCell(spec.template.spec) },
  { name: 'Selector', type: 'string', priority: 1, read: ({ spec }) => compiledSelector(spec.selector)?.text ?? '<invalid>' },
];

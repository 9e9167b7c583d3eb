import type { CronJob } from '#kinds/batch/v1/cron-job.ts';
import { ageOf } from '#kinds/rules/age.ts';
import { ageColumn, containerNamesCell, imagesCell, nameColumn, selectorCell } from '#kinds/rules/cells.ts';
import type { Column } from '#resource/column.ts';

export const cronJobColumns: readonly Column<CronJob>[] = [
  nameColumn(),
  { name: 'Schedule', type: 'string', read: ({ spec }) => spec.schedule },
  { name: 'Timezone', type: 'string', read: ({ spec }) => spec.timeZone ?? '<none>' },
  { name: 'Suspend', type: 'boolean', read: ({ spec }) => (spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False') },
  { name: 'Active', type: 'integer', read: ({ status }) => status.active?.length ?? 0 },
  {
    name: 'Last Schedule',
    type: 'string',
    read: ({ status }, context) => (status.lastScheduleTime === undefined ? '<none>' : ageOf(status.lastScheduleTime, context)),
  },
  ageColumn(),
  { name: 'Containers', type: 'string', priority: 1, read: ({ spec }) => containerNamesCell(spec.jobTemplate.spec.template.spec) },
  { name: 'Images', type: 'string', priority: 1, read: ({ spec }) => imagesCell(spec.jobTemplate.spec.template.spec) },
  { name: 'Selector', type: 'string', priority: 1, read: ({ spec }) => selectorCell(spec.jobTemplate.spec.selector) },
];

import type { Job } from '#kinds/batch/v1/job.ts';
import { humanDuration } from '#kinds/rules/age.ts';
import { ageColumn, containerNamesCell, imagesCell, nameColumn, selectorCell } from '#kinds/rules/cells.ts';
import type { Column, ColumnContext } from '#resource/column.ts';

export const jobColumns: readonly Column<Job>[] = [
  nameColumn(),
  { name: 'Status', type: 'string', read: statusCell },
  { name: 'Completions', type: 'string', read: completionsCell },
  { name: 'Duration', type: 'string', read: durationCell },
  ageColumn(),
  { name: 'Containers', type: 'string', priority: 1, read: ({ spec }) => containerNamesCell(spec.template.spec) },
  { name: 'Images', type: 'string', priority: 1, read: ({ spec }) => imagesCell(spec.template.spec) },
  { name: 'Selector', type: 'string', priority: 1, read: ({ spec }) => selectorCell(spec.selector) },
];

function statusCell({ metadata, status }: Job): string {
  const is = (wanted: string) => status.conditions?.some(({ type, status: value }) => type === wanted && value === 'True') ?? false;
  const ended = ['Complete', 'Failed'].find(is);
  if (ended !== undefined) return ended;
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function completionsCell({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell({ status: { startTime, completionTime } }: Job, { now }: ColumnContext): string {
  if (startTime === undefined) return '';
  const end = completionTime === undefined ? now.getTime() : Date.parse(completionTime);
  return humanDuration((end - Date.parse(startTime)) / 1000);
}

import type { Event } from '#kinds/core/v1/event.ts';
import { ageOf } from '#kinds/rules/age.ts';
import type { Column, ColumnContext } from '#resource/column.ts';

function firstSeen({ firstTimestamp, eventTime }: Event, context: ColumnContext): string {
  return ageOf(firstTimestamp ?? eventTime, context);
}

function lastSeen(event: Event, context: ColumnContext): string {
  const { lastTimestamp, series } = event;
  if (series !== undefined) return ageOf(series.lastObservedTime, context);
  return lastTimestamp === undefined ? firstSeen(event, context) : ageOf(lastTimestamp, context);
}

function objectCell({ involvedObject: { kind = '', name } }: Event): string {
  return name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();
}

function sourceCell({ source, reportingComponent = '', reportingInstance = '' }: Event): string {
  const host = source.host || reportingInstance;
  const component = source.component || reportingComponent;
  return host === '' ? component : `${component}, ${host}`;
}

export const eventColumns: readonly Column<Event>[] = [
  { name: 'Last Seen', type: 'string', read: lastSeen },
  { name: 'Type', type: 'string', read: ({ type }) => type ?? '' },
  { name: 'Reason', type: 'string', read: ({ reason }) => reason ?? '' },
  { name: 'Object', type: 'string', read: objectCell },
  { name: 'Subobject', type: 'string', priority: 1, read: ({ involvedObject }) => involvedObject.fieldPath ?? '' },
  { name: 'Source', type: 'string', priority: 1, read: sourceCell },
  { name: 'Message', type: 'string', read: ({ message = '' }) => message.trim() },
  { name: 'First Seen', type: 'string', priority: 1, read: firstSeen },
  { name: 'Count', type: 'string', priority: 1, read: ({ series, count }) => (series === undefined ? count || 1 : (series.count ?? 0)) },
  { name: 'Name', type: 'string', format: 'name', priority: 1, read: ({ metadata }) => metadata.name ?? '' },
];

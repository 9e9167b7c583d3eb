import { eventColumns } from '#kinds/core/v1/event-columns.ts';
import { eventStrategy } from '#kinds/core/v1/event-strategy.ts';
import { Event, EventList } from '#kinds/core/v1/event.ts';
import { defineResource } from '#resource/definition.ts';

export const events = defineResource<Event>({
  group: '',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  namespaced: true,
  strategy: eventStrategy,
  columns: eventColumns,
  schema: Event,
  list: EventList,
  shortNames: ['ev'],
  storage: { version: 'v1', prefix: 'events', hash: 'r2yiGXH7wu8=' },
  lifecycle: { introduced: '1.0' },
});

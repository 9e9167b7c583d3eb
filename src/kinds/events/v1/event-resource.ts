import { eventSelectorNames } from '#kinds/core/v1/event-strategy.ts';
import { eventConversion } from '#kinds/events/v1/event-conversion.ts';
import { Event, EventList } from '#kinds/events/v1/event.ts';
import { defineResource } from '#resource/definition.ts';

export const events = defineResource<Event>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  namespaced: true,
  schema: Event,
  list: EventList,
  shortNames: ['ev'],
  storage: { group: '', version: 'v1', prefix: 'events', hash: 'r2yiGXH7wu8=' },
  lifecycle: { introduced: '1.19' },
  conversion: eventConversion,
  selectorNames: eventSelectorNames,
});

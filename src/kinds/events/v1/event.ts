import { EventSource } from '#kinds/core/v1/event-source.ts';
import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, microTime, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const Event = rootStruct(
  'io.k8s.api.events.v1.Event',
  () => ({
    metadata: embedded(1, ref<ObjectMeta>(ObjectMeta), { written: 'always' }),
    eventTime: required(2, microTime),
    series: pointer(3, ref<EventSeries>(EventSeries)),
    reportingController: optional(4, string),
    reportingInstance: optional(5, string),
    action: optional(6, string),
    reason: optional(7, string),
    regarding: embedded(8, ref<ObjectReference>(ObjectReference)),
    related: pointer(9, ref<ObjectReference>(ObjectReference)),
    note: optional(10, string),
    type: optional(11, string),
    deprecatedSource: embedded(12, ref<EventSource>(EventSource)),
    deprecatedFirstTimestamp: optional(13, time),
    deprecatedLastTimestamp: optional(14, time),
    deprecatedCount: optional(15, int32),
  }),
  { gvks: [['events.k8s.io', 'v1', 'Event']] },
);
export interface Event extends Infer<typeof Event> {}

export const EventList = rootStruct(
  'io.k8s.api.events.v1.EventList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Event>(Event))),
  }),
  { gvks: [['events.k8s.io', 'v1', 'EventList']] },
);
export interface EventList extends Infer<typeof EventList> {}

export const EventSeries = struct('io.k8s.api.events.v1.EventSeries', () => ({
  count: required(1, int32),
  lastObservedTime: required(2, microTime),
}));
export interface EventSeries extends Infer<typeof EventSeries> {}

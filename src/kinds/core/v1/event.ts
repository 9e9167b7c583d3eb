import { EventSource } from '#kinds/core/v1/event-source.ts';
import { ObjectReference } from '#kinds/core/v1/references.ts';
import { ListMeta } from '#kinds/meta/v1/list-meta.ts';
import { ObjectMeta } from '#kinds/meta/v1/object-meta.ts';
import { embedded, type Infer, int32, list, microTime, optional, pointer, ref, required, rootStruct, string, struct, time } from '#schema/build.ts';

export const Event = rootStruct(
  'io.k8s.api.core.v1.Event',
  () => ({
    metadata: required(1, ref<ObjectMeta>(ObjectMeta)),
    involvedObject: required(2, ref<ObjectReference>(ObjectReference)),
    reason: optional(3, string),
    message: optional(4, string),
    source: embedded(5, ref<EventSource>(EventSource)),
    firstTimestamp: optional(6, time),
    lastTimestamp: optional(7, time),
    count: optional(8, int32),
    type: optional(9, string),
    eventTime: optional(10, microTime),
    series: pointer(11, ref<EventSeries>(EventSeries)),
    action: optional(12, string),
    related: pointer(13, ref<ObjectReference>(ObjectReference)),
    reportingComponent: optional(14, string, { written: 'always' }),
    reportingInstance: optional(15, string, { written: 'always' }),
  }),
  { gvks: [['', 'v1', 'Event']] },
);
export interface Event extends Infer<typeof Event> {}

export const EventList = rootStruct(
  'io.k8s.api.core.v1.EventList',
  () => ({
    metadata: embedded(1, ref<ListMeta>(ListMeta)),
    items: required(2, list(ref<Event>(Event))),
  }),
  { gvks: [['', 'v1', 'EventList']] },
);
export interface EventList extends Infer<typeof EventList> {}

export const EventSeries = struct('io.k8s.api.core.v1.EventSeries', () => ({
  count: optional(1, int32),
  lastObservedTime: optional(2, microTime),
}));
export interface EventSeries extends Infer<typeof EventSeries> {}

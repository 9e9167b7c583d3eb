// events.k8s.io to and from the core group, which stores the events of both: the same values under other names.
import type { Event as CoreEvent } from '#kinds/core/v1/event.ts';
import type { Event } from '#kinds/events/v1/event.ts';
import type { Conversion } from '#resource/definition.ts';

export const eventConversion: Conversion = { toHub, fromHub };

function toHub(event: Event): Partial<CoreEvent> {
  const { regarding, note, reportingController, deprecatedSource, deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, ...same } = event;
  return {
    ...same,
    involvedObject: regarding,
    message: note,
    reportingComponent: reportingController,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
  };
}

function fromHub(event: CoreEvent): Partial<Event> {
  const { involvedObject, message, reportingComponent, source, firstTimestamp, lastTimestamp, count, eventTime, series, ...same } = event;
  return {
    ...same,
    ...(eventTime !== undefined && { eventTime }),
    // The tables differ only in what is required, which the caller fills in.
    series: series as Event['series'],
    regarding: involvedObject,
    note: message,
    reportingController: reportingComponent,
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
  };
}

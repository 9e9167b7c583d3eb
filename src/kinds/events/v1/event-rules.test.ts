import { events } from '#kinds/core/v1/event-resource.ts';
import { describeRefusals, describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'one' },
  eventTime: '2030-01-01T00:00:00.000000Z',
  reportingComponent: 'example.com/walker',
  reportingInstance: 'walker-1',
  action: 'Walk',
  reason: 'Walked',
  involvedObject: { kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'one' },
  message: 'walked',
  type: 'Normal',
};

describeRefusals(
  'events of events.k8s.io, in the form they are stored in',
  events,
  event,
  [
    [
      'an odd label',
      { 'metadata.labels': { a: '-' } },
      "metadata.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    ['no time', { eventTime: undefined }, 'eventTime: Required value'],
    ['an unknown type', { type: 'Odd' }, 'type: Invalid value: "": has invalid value: Odd'],
    [
      'what only older events have',
      { count: 1, firstTimestamp: '2030-01-01T00:00:00Z', lastTimestamp: '2030-01-01T00:00:00Z', source: { host: 'h' } },
      'count: Invalid value: "": needs to be unset',
      'firstTimestamp: Invalid value: "": needs to be unset',
      'lastTimestamp: Invalid value: "": needs to be unset',
      'source: Invalid value: "": needs to be unset',
    ],
    [
      'a series of one, never seen',
      { series: { count: 1 } },
      'series.count: Invalid value: "": should be at least 2',
      'series.lastObservedTime: Required value',
    ],
  ],
  { context: { apiVersion: 'events.k8s.io/v1' }, notAsked: 'the same rules were put to a real server under their names in events.k8s.io' },
);

describeUpdateRefusals(
  'updates of events of events.k8s.io, in the form they are stored in',
  events,
  event,
  [
    [
      'another object',
      { 'involvedObject.name': 'two' },
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"two","UID":"","APIVersion":"v1","ResourceVersion":"","FieldPath":""}: field is immutable',
    ],
    ['another reason', { reason: 'Ran' }, 'reason: Invalid value: "Ran": field is immutable'],
    ['another message', { message: 'ran' }, 'message: Invalid value: "ran": field is immutable'],
    ['another type', { type: 'Warning' }, 'type: Invalid value: "Warning": field is immutable'],
    ['another action', { action: 'Run' }, 'action: Invalid value: "Run": field is immutable'],
    ['another instance', { reportingInstance: 'walker-2' }, 'reportingInstance: Invalid value: "walker-2": field is immutable'],
  ],
  '',
  { context: { apiVersion: 'events.k8s.io/v1' }, notAsked: 'the same rules were put to a real server under their names in events.k8s.io' },
);

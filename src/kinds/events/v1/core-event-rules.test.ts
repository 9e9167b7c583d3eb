import { events } from '#kinds/core/v1/event-resource.ts';
import { describeRefusals } from '../../../../test/support/rule-cases.ts';

const coreEvent = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'two', namespace: 'default' },
  eventTime: '2030-01-01T00:00:00.000000Z',
  reportingComponent: 'example.com/walker',
  reportingInstance: 'walker-1',
  action: 'Walk',
  reason: 'Walked',
  involvedObject: { kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'one' },
  message: 'walked',
  type: 'Normal',
};

describeRefusals('events of core with a time', events, coreEvent, [
  [
    'no controller',
    { reportingComponent: '' },
    'reportingComponent: Invalid value: "": name part must be non-empty',
    "reportingComponent: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    'reportingComponent: Required value',
  ],
  [
    'an odd controller',
    { reportingComponent: '-' },
    "reportingComponent: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ],
  ['no instance', { reportingInstance: '' }, 'reportingInstance: Required value'],
  ['a long instance', { reportingInstance: 'x'.repeat(129) }, 'reportingInstance: Invalid value: "": can have at most 128 characters'],
  ['no action', { action: '' }, 'action: Required value'],
  ['a long action', { action: 'x'.repeat(129) }, 'action: Invalid value: "": can have at most 128 characters'],
  ['no reason', { reason: '' }, 'reason: Required value'],
  ['a long reason', { reason: 'x'.repeat(129) }, 'reason: Invalid value: "": can have at most 128 characters'],
  ['a long message', { message: 'x'.repeat(1025) }, 'message: Invalid value: "": can have at most 1024 characters'],
]);

const oldEvent = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'three', namespace: 'default' },
  involvedObject: { kind: 'Pod', apiVersion: 'v1', namespace: 'default', name: 'one' },
};

describeRefusals('events of core without a time', events, oldEvent, [
  [
    'an object of another namespace',
    { 'involvedObject.namespace': 'other' },
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ],
]);

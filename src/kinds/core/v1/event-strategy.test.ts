import { describe, expect, test } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { events } from '#kinds/core/v1/event-resource.ts';
import { notKey } from '../../../../test/support/format-texts.ts';
import { changed, contextWith, describeRefusals, prepared } from '../../../../test/support/rule-cases.ts';

const about = { kind: 'Pod', namespace: 'default', name: 'p' };
const lenient = { metadata: { name: 'one' }, involvedObject: about, reason: 'Started', message: 'text', count: 1 };
const modern = {
  metadata: { name: 'one' },
  involvedObject: about,
  eventTime: '2030-01-02T03:04:05.000006Z',
  reportingComponent: 'example.com/controller',
  reportingInstance: 'c-1',
  action: 'Start',
  reason: 'Started',
  type: 'Normal',
};
const mismatch = 'does not match event.namespace';
const long = (field: string) => `${field}: Invalid value: "": can have at most ${field === 'message' ? 1024 : 128} characters`;

describeRefusals('events of the core group', events, lenient, [
  ['another namespace than that of the object', { 'involvedObject.namespace': 'other' }, `involvedObject.namespace: Invalid value: "other": ${mismatch}`],
]);

describeRefusals('events with a time of their own', events, modern, [
  ['a reporter that is no name', { reportingComponent: 'a b' }, `reportingComponent: ${notKey('a b')}`],
  ['no instance', { reportingInstance: '' }, 'reportingInstance: Required value'],
  ['too long an instance', { reportingInstance: 'x'.repeat(129) }, long('reportingInstance')],
  ['no action', { action: '' }, 'action: Required value'],
  ['too long an action', { action: 'x'.repeat(129) }, long('action')],
  ['no reason', { reason: '' }, 'reason: Required value'],
  ['too long a message', { message: 'x'.repeat(1025) }, long('message')],
]);

describe('events of events.k8s.io', () => {
  const context = { ...contextWith(), apiVersion: 'events.k8s.io/v1' };
  const creation = (changes: Record<string, unknown>) => {
    const errors = new FieldErrors();
    events.strategy.validate?.(prepared(events, changed(modern, changes), context), errors, context);
    return errors.list.map(String);
  };
  const update = (changes: Record<string, unknown>) => {
    const errors = new FieldErrors();
    const old = prepared(events, changed(modern, { 'metadata.resourceVersion': '1' }), context);
    events.strategy.validateUpdate?.(changed(old, changes), old, errors, context);
    return [...new Set(errors.list.map(String))];
  };

  test.each([
    ['no time', { eventTime: undefined }, 'eventTime: Required value'],
    ['an unknown type', { type: 'Odd' }, 'type: Invalid value: "": has invalid value: Odd'],
    ['a count', { count: 1 }, 'count: Invalid value: "": needs to be unset'],
    ['a first time', { firstTimestamp: '2030-01-01T00:00:00Z' }, 'firstTimestamp: Invalid value: "": needs to be unset'],
    ['a source', { source: { host: 'h' } }, 'source: Invalid value: "": needs to be unset'],
    ['a series of one', { series: { count: 1, lastObservedTime: '2030-01-01T00:00:00.000000Z' } }, 'series.count: Invalid value: "": should be at least 2'],
    ['a series without time', { series: { count: 2 } }, 'series.lastObservedTime: Required value'],
  ])('refuse %s', (_what, changes, error) => {
    expect(creation({})).toEqual([]);
    expect(creation(changes)).toEqual([error]);
  });

  test.each([
    ['reason', 'Other', 'reason: Invalid value: "Other": field is immutable'],
    ['message', 'new', 'message: Invalid value: "new": field is immutable'],
    ['type', 'Warning', 'type: Invalid value: "Warning": field is immutable'],
    ['action', 'Stop', 'action: Invalid value: "Stop": field is immutable'],
    ['reportingComponent', 'x', 'reportingController: Invalid value: "x": field is immutable'],
    ['reportingInstance', 'x', 'reportingInstance: Invalid value: "x": field is immutable'],
    ['count', 2, 'count: Invalid value: 2: field is immutable'],
    [
      'involvedObject',
      { ...about, name: 'q' },
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"default","Name":"q","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    ],
    ['source', { component: 'c' }, 'source: Invalid value: {"Component":"c","Host":""}: field is immutable'],
  ])('keep their %s', (field, value, error) => {
    expect(update({})).toEqual([]);
    expect(update({ [field]: value })).toEqual([error]);
  });
});

describe('events', () => {
  test('go away after the time that the server is told', () => {
    expect(events.strategy.ttlSeconds?.({ ...contextWith(), eventTtlSeconds: 60 })).toBe(60);
    expect(events.strategy.ttlSeconds?.(contextWith())).toBe(3600);
  });

  test('are found by their source, which is the reporter when there is none', () => {
    const { selectableFields = {} } = events.strategy;
    expect(selectableFields['source']?.({ source: {}, reportingComponent: 'r' } as never)).toBe('r');
    expect(selectableFields['involvedObject.name']?.({ involvedObject: about } as never)).toBe('p');
  });

  test('show the times and the count of their series', () => {
    const now = new Date('2030-01-02T03:05:05Z');
    const series = { count: 7, lastObservedTime: '2030-01-02T03:05:00.000000Z' };
    const row = (event: object) => events.columns?.map(({ read }) => read({ source: {}, ...event } as never, { now }));
    const base = {
      metadata: { name: 'n' },
      involvedObject: about,
      eventTime: '2030-01-02T03:04:05.000000Z',
      message: ' m ',
      reportingComponent: 'r',
      reportingInstance: 'i',
    };
    expect(row({ ...base, series })).toEqual(['5s', '', '', 'pod/p', '', 'r, i', 'm', '60s', 7, 'n']);
    expect(row(base)).toEqual(['60s', '', '', 'pod/p', '', 'r, i', 'm', '60s', 1, 'n']);
  });
});

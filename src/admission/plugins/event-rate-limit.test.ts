// The meters are told the time, so that nothing depends on how fast a test runs; what a client sees is in optional-plugins.test.ts.
import { describe, expect, test } from 'vitest';
import type { AdmissionRequest } from '#admission/admission.ts';
import { type EventLimit, eventRateLimit } from '#admission/plugins/event-rate-limit.ts';

const events = { group: '', kind: 'Event', plural: 'events' };

interface Facts {
  readonly at?: number;
  readonly namespace?: string;
  readonly user?: string;
  readonly dryRun?: boolean;
  readonly source?: object;
  readonly involved?: object;
}

function request({ at = 0, namespace = 'n', user = 'u', dryRun = false, source = {}, involved = {} }: Facts): AdmissionRequest {
  const object = { kind: 'Event', metadata: {}, source, involvedObject: involved };
  return {
    operation: 'CREATE',
    definition: events,
    subresource: '',
    namespace,
    user: { name: user, groups: [] },
    dryRun,
    object,
    now: new Date(at * 1000),
  } as unknown as AdmissionRequest;
}

/** One plugin; what it says to each of the requests: 'ok' or the text of the refusal. */
function answers(limits: readonly EventLimit[], requests: readonly Facts[]): readonly string[] {
  const plugin = eventRateLimit(limits);
  return requests.map((facts) => {
    try {
      void plugin.validate?.(request(facts));
      return 'ok';
    } catch (error) {
      return (error as Error).message;
    }
  });
}

const perNamespace: EventLimit = { type: 'Namespace', qps: 1, burst: 2 };

test('a burst passes, what comes on top is refused as too many', () => {
  const [, , third] = answers([perNamespace], [{}, {}, {}]);
  expect(third).toBe('Too many requests: limit reached on type Namespace for key n');
  const plugin = eventRateLimit([{ ...perNamespace, burst: 0 }]);
  expect(() => plugin.validate?.(request({}))).toThrow(expect.objectContaining({ code: 429, reason: 'TooManyRequests' }));
});

test('with time more may come, but never more than the burst at once', () => {
  const said = answers([perNamespace], [{}, {}, {}, { at: 1 }, { at: 1 }, { at: 100 }, { at: 100 }, { at: 100 }]);
  expect(said.map((text) => text === 'ok')).toEqual([true, true, false, true, false, true, true, false]);
});

describe('each type counts apart', () => {
  const once = (type: EventLimit['type']): readonly EventLimit[] => [{ type, qps: 1, burst: 1 }];

  test.each<[EventLimit['type'], Facts, Facts, string]>([
    ['Namespace', { namespace: 'a' }, { namespace: 'b' }, 'a'],
    ['User', { user: 'a' }, { user: 'b' }, 'a'],
    ['SourceAndObject', { source: { component: 'k', host: 'h' } }, { source: { component: 'k', host: 'i' } }, 'kh'],
    [
      'SourceAndObject',
      { involved: { kind: 'Pod', namespace: 'n', name: 'p', uid: '1', apiVersion: 'v1' } },
      { involved: { kind: 'Pod', namespace: 'n', name: 'p', uid: '2', apiVersion: 'v1' } },
      'Podnp1v1',
    ],
  ])('%s: %j is not %j', (type, one, other, key) => {
    expect(answers(once(type), [one, other, one])).toEqual(['ok', 'ok', `Too many requests: limit reached on type ${type} for key ${key}`]);
  });

  test('Server: all are one', () => {
    expect(
      answers(once('Server'), [
        { namespace: 'a', user: 'a' },
        { namespace: 'b', user: 'b' },
      ]),
    ).toEqual(['ok', 'Too many requests: limit reached on type Server for key ']);
  });
});

test('every limit is asked, and all that are reached are told', () => {
  const limits: readonly EventLimit[] = [
    { type: 'Server', qps: 1, burst: 1 },
    { type: 'User', qps: 1, burst: 1 },
  ];
  expect(answers(limits, [{}, {}])[1]).toBe('Too many requests: [limit reached on type Server for key , limit reached on type User for key u]');
});

test('whoever was silent longest is forgotten when there are too many to remember', () => {
  const limit: EventLimit = { type: 'Namespace', qps: 0, burst: 1, cacheSize: 2 };
  const said = answers(
    [limit],
    ['a', 'b', 'a', 'c', 'b', 'a'].map((namespace) => ({ namespace })),
  );
  expect(said.map((text) => text === 'ok')).toEqual([true, true, false, true, true, true]);
});

test('a rehearsal takes nothing', () => {
  expect(answers([{ ...perNamespace, burst: 1 }], [{ dryRun: true }, { dryRun: true }, {}])).toEqual(['ok', 'ok', 'ok']);
});

test.each([
  ['creates and updates of events', events, 'CREATE', true],
  ['updates', events, 'UPDATE', true],
  ['deletions', events, 'DELETE', false],
  ['events of the newer group', { ...events, group: 'events.k8s.io' }, 'CREATE', false],
  ['other objects', { group: '', kind: 'Pod', plural: 'pods' }, 'CREATE', false],
])('%s', (_, definition, operation, concerned) => {
  expect(eventRateLimit([]).matches?.({ ...request({}), definition, operation } as unknown as AdmissionRequest)).toBe(concerned);
});

import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '#api/object.ts';
import type { RequestInfo } from '#api/request-info.ts';
import { parseRequestInfo } from '#api/request-info.ts';
import { nextTurn } from '#base/next-turn.ts';
import { allotSeats, boundsOf } from '#server/flow-control/allot-seats.ts';
import { FlowController } from '#server/flow-control/flow-controller.ts';
import { matchFlowSchema } from '#server/flow-control/match-flow-schema.ts';
import { type Entry, type Leave, PriorityLevel } from '#server/flow-control/priority-level.ts';
import { costOf } from '#server/flow-control/request-cost.ts';
import { RetryAfter } from '#server/flow-control/retry-after.ts';
import { dealHand } from '#server/flow-control/shuffle-shard.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';

const queueing = { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: { queues: 8, handSize: 2, queueLengthLimit: 3 } } } };

function level(limit: number, spec: object = queueing) {
  const timers = new ManualTimers();
  const made = new PriorityLevel('a', { clock: { now: () => new Date(0) }, timers, maxWaitMs: 100 });
  made.configure('uid', spec as never);
  made.setLimit(limit);
  return { level: made, timers };
}

function entry(flow: string, changes: Partial<Entry> = {}): Entry {
  return { schema: 's', flow, seats: 1, lingerMs: 0, asker: new AbortController(), ...changes };
}

function request(method: string, path: string): RequestInfo {
  const [bare = '', search = ''] = path.split('?');
  return parseRequestInfo({ method, path: bare, query: new URLSearchParams(search) });
}

describe('a priority level', () => {
  test('seats requests at once while it has seats', () => {
    const { level: limited } = level(2);
    expect([typeof limited.enter(entry('x')), typeof limited.enter(entry('x'))]).toEqual(['function', 'function']);
    expect(limited.seatsInUse).toBe(2);
  });

  test('lets a request wait until seats are free', async () => {
    const { level: limited } = level(1);
    const leave = limited.enter(entry('x')) as Leave;
    const second = limited.enter(entry('y'));
    expect(limited.waiting).toBe(1);
    leave();
    expect(typeof (await second)).toBe('function');
    expect(limited.waiting).toBe(0);
  });

  test('gives seats back only in the next turn, so that nobody gets more than the limit per turn', async () => {
    const { level: limited } = level(1);
    (limited.enter(entry('x')) as Leave)();
    expect(limited.seatsInUse).toBe(1);
    await nextTurn();
    expect(limited.seatsInUse).toBe(0);
  });

  test('rejects when the queues of the flow are full, and takes other flows', async () => {
    const { level: limited } = level(1);
    limited.enter(entry('busy'));
    const greedy = Array.from({ length: 20 }, () => limited.enter(entry('greedy')));
    expect(limited.waiting).toBe(6);
    expect(await greedy[19]).toBe('queue-full');
    const others = ['a', 'b', 'c', 'd'].map((flow) => limited.enter(entry(flow)));
    expect(limited.waiting).toBeGreaterThan(6);
    expect(others).toHaveLength(4);
  });

  test('serves a modest flow before the backlog of a greedy one', async () => {
    const { level: limited } = level(1);
    const order: string[] = [];
    const take = async (flow: string) => {
      const leave = await limited.enter(entry(flow));
      if (typeof leave !== 'function') return;
      order.push(flow);
      leave();
    };
    const first = limited.enter(entry('first')) as Leave;
    const greedy = Array.from({ length: 6 }, () => take('greedy'));
    const modest = take(distinctFrom('greedy'));
    first();
    await Promise.all([...greedy, modest]);
    expect(order.length).toBe(7);
    expect(order.findIndex((flow) => flow !== 'greedy')).toBeLessThanOrEqual(2);
  });

  test('seats a newcomer soon although a greedy flow has been served quickly for long', async () => {
    const { level: limited } = level(1);
    const order: string[] = [];
    const greedy = async () => {
      for (let i = 0; i < 20; i++) await enterAndLeave(limited, 'greedy', order);
    };
    const crowd = [greedy(), greedy(), greedy(), greedy()];
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    const before = order.length;
    await enterAndLeave(limited, distinctFrom('greedy'), order);
    expect(order.length - before).toBeLessThanOrEqual(4);
    await Promise.all(crowd);
  });

  test('without queues rejects what has no seat', () => {
    const { level: limited } = level(1, { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } });
    limited.enter(entry('x'));
    expect(limited.enter(entry('x'))).toBe('concurrency-limit');
  });

  test('gives up on a request that has waited too long, and on one whose client is gone', async () => {
    const { level: limited, timers } = level(1);
    limited.enter(entry('x'));
    const late = limited.enter(entry('y'));
    const gone = new AbortController();
    const lost = limited.enter(entry('z', { asker: gone }));
    gone.abort();
    timers.advance(100);
    expect([await late, await lost]).toEqual(['time-out', 'cancelled']);
    expect(limited.waiting).toBe(0);
  });

  test('takes a request wider than the whole level when it is empty', () => {
    const { level: limited } = level(2);
    expect(typeof limited.enter(entry('wide', { seats: 10 }))).toBe('function');
  });

  test('keeps seats a while longer when the events of a write still cost something', async () => {
    const { level: limited, timers } = level(2);
    (limited.enter(entry('x', { lingerMs: 5 })) as Leave)();
    await nextTurn();
    expect(limited.seatsInUse).toBe(1);
    timers.advance(5);
    expect(limited.seatsInUse).toBe(0);
  });

  test('never limits exempt requests', () => {
    const { level: exempt } = level(1, { type: 'Exempt' });
    const entered = Array.from({ length: 100 }, () => typeof exempt.enter(entry('x')));
    expect(new Set(entered)).toEqual(new Set(['function']));
  });

  test('lets everybody through who waits when it is deleted', async () => {
    const { level: limited } = level(1);
    limited.enter(entry('x'));
    const waiting = limited.enter(entry('y'));
    limited.retire();
    expect(typeof (await waiting)).toBe('function');
  });
});

async function enterAndLeave(limited: PriorityLevel, flow: string, order: string[]): Promise<void> {
  const leave = await limited.enter(entry(flow));
  order.push(flow);
  if (typeof leave === 'function') leave();
}

/** A flow whose hand has a queue that the other's has not. */
function distinctFrom(flow: string): string {
  const taken = dealHand(flow, 8, 2);
  for (let i = 0; ; i++) if (dealHand(`f${i}`, 8, 2).every((queue) => !taken.includes(queue))) return `f${i}`;
}

describe('a hand of queues', () => {
  test('is the same each time, without repetition and within the deck', () => {
    for (const flow of ['', 'a', 'system:serviceaccount:x:y']) {
      const hand = dealHand(flow, 64, 6);
      expect(hand).toEqual(dealHand(flow, 64, 6));
      expect(new Set(hand).size).toBe(6);
      expect(hand.every((queue) => queue >= 0 && queue < 64)).toBe(true);
    }
  });

  test('differs between flows', () => {
    const hands = new Set(Array.from({ length: 50 }, (_, i) => dealHand(`user-${i}`, 64, 6).join()));
    expect(hands.size).toBeGreaterThan(48);
  });
});

describe('shares', () => {
  const specs = new Map([
    ['a', { type: 'Limited', limited: { nominalConcurrencyShares: 30, lendablePercent: 50 } }],
    ['b', { type: 'Limited', limited: { nominalConcurrencyShares: 10, lendablePercent: 0 } }],
  ]);

  test('divide the seats in proportion, rounded up', () => {
    expect([...boundsOf(specs, 101)].map(([, { nominal }]) => nominal)).toEqual([76, 26]);
  });

  test('are lent to a level that wants more, never below what the lender keeps', () => {
    const bounds = boundsOf(specs, 100);
    const claim = (name: string, wanted: number) => ({
      ...(bounds.get(name) as never as { nominal: number; lower: number; upper: number }),
      highest: wanted,
      smoothed: wanted,
    });
    const seats = allotSeats(
      new Map([
        ['a', claim('a', 0)],
        ['b', claim('b', 200)],
      ]),
      100,
    );
    expect(seats.get('b')).toBeGreaterThan(50);
    expect(seats.get('a')).toBeGreaterThanOrEqual(37);
  });
});

describe('which schema means a request', () => {
  const rule = { resourceRules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'], namespaces: ['ns'] }] };
  const match = matchFlowSchema({ priorityLevelConfiguration: { name: 'x' }, rules: [{ subjects: [{ kind: 'User', user: { name: 'alice' } }], ...rule }] });
  const alice = { name: 'alice', groups: [] };

  test.each([
    ['GET', '/api/v1/namespaces/ns/pods/p', true],
    ['GET', '/api/v1/namespaces/ns/pods/p/log', true],
    ['DELETE', '/api/v1/namespaces/ns/pods/p', false],
    ['GET', '/api/v1/namespaces/other/pods', false],
    ['GET', '/api/v1/pods', false],
    ['GET', '/apis/apps/v1/namespaces/ns/pods', false],
    ['GET', '/healthz', false],
  ])('%s %s: %s', (method, path, expected) => {
    expect(match(alice, request(method, path))).toBe(expected);
    expect(match({ name: 'bob', groups: [] }, request(method, path))).toBe(false);
  });

  test('the first by precedence whose level exists', () => {
    const controller = new FlowController({ seats: 100, clock: { now: () => new Date(0) }, timers: new ManualTimers(), maxWaitMs: 100 });
    controller.putSchema(schemaOf('dangling', 'nowhere', 10));
    controller.putSchema(schemaOf('second', 'mine', 30));
    controller.putSchema(schemaOf('first', 'mine', 20));
    expect(controller.placeOf(alice, request('GET', '/x')).level.name).toBe('catch-all');
    controller.putLevel({ metadata: { name: 'mine', uid: 'u' }, spec: queueing });
    expect(controller.placeOf(alice, request('GET', '/x')).schema).toBe('first');
    controller.dropLevel({ metadata: { name: 'mine' } });
    expect(controller.placeOf(alice, request('GET', '/x')).level.name).toBe('catch-all');
    expect(controller.placeOf({ name: 'root', groups: ['system:masters'] }, request('GET', '/x')).level.exempt).toBe(true);
  });
});

function schemaOf(name: string, levelName: string, matchingPrecedence: number): KubernetesObject {
  const rules = [{ subjects: [{ kind: 'User', user: { name: 'alice' } }], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }];
  return { metadata: { name }, spec: { priorityLevelConfiguration: { name: levelName }, matchingPrecedence, rules } };
}

describe('what a request costs', () => {
  const big = () => ({ objects: 5_000, watchers: 95 });

  test.each([
    ['GET', '/api/v1/namespaces/ns/pods/p', 1],
    ['GET', '/api/v1/pods', 10],
    ['GET', '/api/v1/pods?limit=100', 2],
    ['GET', '/api/v1/pods?limit=1000', 10],
    ['GET', '/api/v1/pods?resourceVersion=7&resourceVersionMatch=NotOlderThan', 10],
    ['GET', '/api/v1/pods?resourceVersion=7&resourceVersionMatch=Exact', 100],
    ['GET', '/api/v1/pods?resourceVersion=7&limit=1000', 20],
    ['GET', '/api/v1/pods?continue=x&limit=1000', 20],
    ['GET', '/api/v1/pods?continue=x&limit=1000&labelSelector=a', 50],
    ['GET', '/api/v1/pods?watch=1&resourceVersion=5', 1],
    ['GET', '/api/v1/pods?watch=1&resourceVersion=0', 10],
    ['POST', '/api/v1/namespaces/ns/pods', 10],
    ['GET', '/healthz', 1],
  ])('%s %s takes %i seats', (method, path, seats) => {
    expect(costOf(request(method, path), () => new URLSearchParams(path.split('?')[1]), big, 10_000).seats).toBe(seats);
  });

  test('never more than a part of the level', () => {
    expect(costOf(request('GET', '/api/v1/pods'), () => new URLSearchParams(), big, 40).seats).toBe(6);
  });
});

test('clients are told to stay away longer the more are rejected, up to 32 seconds', () => {
  const retry = new RetryAfter();
  for (let second = 1; second < 200; second++) for (let i = 0; i < 100; i++) retry.reject(second * 1000);
  expect(retry.seconds).toBe(32);
});

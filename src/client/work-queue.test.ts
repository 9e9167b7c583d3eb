import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { bucket, itemBackoff, slowestOf } from '#client/rate-limit.ts';
import { WorkQueue } from '#client/work-queue.ts';

function queueInTest() {
  const timers = new ManualTimers();
  return { timers, queue: new WorkQueue({ timers, limit: itemBackoff({ firstMs: 100, maxMs: 1000 }) }) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a work queue', () => {
  test('hands out each key once, in the order of first mention', async () => {
    const { queue } = queueInTest();
    for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
    expect([await queue.next(), await queue.next(), await queue.next(), queue.size]).toEqual(['b', 'a', 'c', 0]);
  });

  test('a key that comes while it is worked on waits until that is done', async () => {
    const { queue } = queueInTest();
    queue.add('a');
    await queue.next();
    queue.add('a');
    queue.add('a');
    expect(queue.size).toBe(0);
    queue.done('a');
    expect([queue.size, await queue.next()]).toEqual([1, 'a']);
  });

  test('a delayed key comes when its time has come', () => {
    const { queue, timers } = queueInTest();
    queue.addAfter('a', 500);
    timers.advance(499);
    expect(queue.size).toBe(0);
    timers.advance(1);
    expect(queue.size).toBe(1);
  });

  test('failures make a key wait longer and longer, up to the limit, until it is forgotten', () => {
    const { queue, timers } = queueInTest();
    const waits = Array.from({ length: 6 }, () => {
      queue.addRateLimited('a');
      let waited = 0;
      while (queue.size === 0) {
        timers.advance(100);
        waited += 100;
      }
      void queue.next();
      queue.done('a');
      return waited;
    });
    expect(waits).toEqual([100, 200, 400, 800, 1000, 1000]);
    expect(queue.failuresOf('a')).toBe(6);
    queue.forget('a');
    expect(queue.failuresOf('a')).toBe(0);
  });

  test('shut down, it takes nothing more, hands out what it has, and then says so', async () => {
    const { queue, timers } = queueInTest();
    queue.add('a');
    queue.addAfter('later', 10);
    queue.shutDown();
    queue.add('b');
    timers.advance(100);
    expect([await queue.next(), await queue.next()]).toEqual(['a', undefined]);
  });

  test('workers that wait for a key end when it is shut down; one that works may finish', async () => {
    const { queue } = queueInTest();
    let finish: () => void = () => {};
    const started: string[] = [];
    const working = queue.work(
      (key) => {
        started.push(key);
        return new Promise((resolve) => (finish = resolve));
      },
      () => {},
      3,
    );
    queue.add('a');
    await turn();
    queue.add('a');
    queue.shutDown();
    finish();
    await turn();
    // It came again before the shutdown: that change is still looked at.
    expect(started).toEqual(['a', 'a']);
    finish();
    await working;
  });

  test('what throws is tried again later and reported', async () => {
    const { queue, timers } = queueInTest();
    const failures: string[] = [];
    let attempts = 0;
    const working = queue.work(
      async () => {
        if (++attempts < 3) throw new Error(`attempt ${attempts}`);
      },
      (key, error) => failures.push(`${key}: ${String(error)}`),
    );
    queue.add('a');
    await turn();
    timers.advance(100);
    await turn();
    timers.advance(200);
    await turn();
    expect([attempts, failures, queue.failuresOf('a')]).toEqual([3, ['a: Error: attempt 1', 'a: Error: attempt 2'], 0]);
    queue.shutDown();
    await working;
  });

  test('no change is lost and no key is worked on twice at a time, whatever the order', async () => {
    const command = fc.oneof(fc.record({ add: fc.constantFrom('a', 'b', 'c') }), fc.constant({ turn: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), async (commands, workers) => {
        const { queue } = queueInTest();
        const latest = new Map<string, number>();
        const seen = new Map<string, number>();
        const busy = new Set<string>();
        const perform = async (key: string) => {
          expect(busy.has(key)).toBe(false);
          busy.add(key);
          seen.set(key, latest.get(key) ?? 0);
          await turn();
          busy.delete(key);
        };
        const working = queue.work(perform, () => {}, workers);
        for (const [i, one] of commands.entries()) {
          if ('turn' in one) await turn();
          else {
            latest.set(one.add, i);
            queue.add(one.add);
          }
        }
        queue.shutDown();
        await working;
        expect(seen).toEqual(latest);
      }),
      { numRuns: 60 },
    );
  });
});

describe('rate limits', () => {
  test('a bucket lets a burst through and then so many each second', () => {
    let now = 0;
    const limit = bucket({ perSecond: 10, burst: 2, now: () => now });
    expect([limit.delayOf('a'), limit.delayOf('b'), limit.delayOf('c'), limit.delayOf('d')]).toEqual([0, 0, 100, 200]);
    now = 10_000;
    expect(limit.delayOf('a')).toBe(0);
  });

  test('of several limits the slowest counts', () => {
    const limit = slowestOf(itemBackoff({ firstMs: 10, maxMs: 1000 }), itemBackoff({ firstMs: 30, maxMs: 40 }));
    expect([limit.delayOf('a'), limit.delayOf('a'), limit.delayOf('a'), limit.delayOf('a')]).toEqual([30, 40, 40, 80]);
    limit.forget('a');
    expect([limit.delayOf('a'), limit.failuresOf('a')]).toEqual([30, 1]);
  });
});

import { describe, expect, test } from 'vitest';
import { ManualTimers } from '../../test/support/manual-timers.ts';
import { ApiError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { ChangeType, Follower, Source, SourceItem } from '#api/source.ts';
import { silentLog } from '#base/log.ts';
import { QueueMetrics } from '#client/queue-metrics.ts';
import { formatMetrics } from '#base/metrics.ts';
import { type ControllerOptions, controller, every, keysOf } from '#controllers/controller.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Objects that a test puts and drops by hand. */
class Shelf implements Source {
  readonly resource = { group: '', resource: 'things' };
  readonly #items = new Map<string, SourceItem>();
  readonly #followers = new Set<Follower>();
  #begun = false;

  get(namespace: string, name: string): SourceItem | undefined {
    return this.#items.get(`${namespace}/${name}`);
  }

  list(): readonly SourceItem[] {
    return [...this.#items.values()];
  }

  async follow(follower: Follower, signal: AbortSignal): Promise<void> {
    this.#followers.add(follower);
    if (this.#begun) follower.begin(this.list());
    while (!this.#begun && !signal.aborted) await turn();
  }

  begin(...names: readonly string[]): void {
    this.#begun = true;
    this.#items.clear();
    for (const name of names) this.#items.set(`a/${name}`, itemOf(name));
    for (const { begin } of this.#followers) begin(this.list());
  }

  tell(type: ChangeType, name: string): void {
    if (type === 'DELETED') this.#items.delete(`a/${name}`);
    else this.#items.set(`a/${name}`, itemOf(name));
    for (const { change } of this.#followers) change(type, itemOf(name));
  }
}

function itemOf(name: string): SourceItem {
  const object: KubernetesObject = { kind: 'Thing', metadata: { name, namespace: 'a' } };
  return { namespace: 'a', name, revision: 1, object, json: Buffer.from(JSON.stringify(object)), valueAt: () => undefined };
}

function loopInTest(options: Partial<ControllerOptions> & Pick<ControllerOptions, 'sources'>) {
  const timers = new ManualTimers();
  const metrics = new QueueMetrics();
  const seen: string[] = [];
  const stop = new AbortController();
  const look = async (key: string) => void seen.push(key);
  const loop = controller({ name: 'test', log: silentLog, timers, metrics, reconcile: look, ...options });
  const running = loop.run(stop.signal);
  return { timers, metrics, seen, loop, stop: () => (stop.abort(), running) };
}

describe('a controller', () => {
  test('looks again at a time that counts from the last look: changes in between do not make more looks', async () => {
    const shelf = new Shelf();
    const { seen, timers, stop } = loopInTest({
      sources: [keysOf(shelf)],
      reconcile: async (key) => {
        seen.push(key);
        return { againMs: 100 };
      },
    });
    shelf.begin('x');
    await turn();
    for (let change = 0; change < 5; change += 1) {
      shelf.tell('MODIFIED', 'x');
      await turn();
    }
    expect(seen).toHaveLength(6);
    timers.advance(100);
    await turn();
    expect(seen).toHaveLength(7);
    await stop();
  });

  test('looks at nothing before every source has told what there is', async () => {
    const [first, second] = [new Shelf(), new Shelf()];
    const { seen, loop, stop } = loopInTest({ sources: [keysOf(first), keysOf(second)] });
    first.begin('x');
    await turn();
    expect(seen).toEqual([]);
    second.begin('y');
    await loop.settled;
    expect(seen).toEqual(['a/x', 'a/y']);
    await stop();
  });

  test('looks at what changed, and at what went while changes were missed', async () => {
    const shelf = new Shelf();
    const { seen, loop, stop } = loopInTest({ sources: [keysOf(shelf)] });
    shelf.begin('x', 'y');
    await loop.settled;
    shelf.tell('DELETED', 'y');
    await turn();
    shelf.begin('z');
    await turn();
    expect(seen).toEqual(['a/x', 'a/y', 'a/y', 'a/z', 'a/x']);
    await stop();
  });

  test('tries again what failed, later and later, and counts it', async () => {
    const shelf = new Shelf();
    let failures = 2;
    const reconcile = async () => {
      if (failures-- > 0) throw new ApiError(409, 'Conflict', 'another write was faster');
    };
    const { timers, metrics, loop, stop } = loopInTest({ sources: [keysOf(shelf)], reconcile });
    shelf.begin('x');
    await loop.settled;
    await turn();
    timers.advance(1_000);
    await turn();
    timers.advance(1_999);
    await turn();
    expect(failures).toBe(0);
    timers.advance(1);
    await turn();
    expect(failures).toBe(-1);
    const text = formatMetrics(metrics.metrics());
    expect(text).toContain('workqueue_retries_total{name="test"} 2');
    expect(text).toContain('workqueue_adds_total{name="test"} 3');
    expect(text).toContain('workqueue_work_duration_seconds_count{name="test"} 3');
    await stop();
  });

  test('gathers changes that come together', async () => {
    const shelf = new Shelf();
    const { timers, seen, stop } = loopInTest({ sources: [keysOf(shelf)], gatherMs: 100 });
    shelf.begin('x');
    await turn();
    for (let i = 0; i < 10; i++) shelf.tell('MODIFIED', 'x');
    timers.advance(100);
    await turn();
    expect(seen).toEqual(['a/x']);
    await stop();
  });

  test('comes back when reconcile says so, and when time says so', async () => {
    const timers = new ManualTimers();
    const seen: string[] = [];
    const reconcile = async (key: string) => {
      seen.push(key);
      return key === '/again' && seen.length < 2 ? { againMs: 50 } : {};
    };
    const { loop, stop } = loopInTest({ sources: [every(timers, 1_000, '/tick')], reconcile, timers });
    await loop.settled;
    loop.enqueue('/again');
    await turn();
    timers.advance(50);
    await turn();
    timers.advance(950);
    await turn();
    expect(seen).toEqual(['/again', '/again', '/tick']);
    await stop();
  });

  test('ends when it is told to, also when a source has not begun', async () => {
    const { stop, seen } = loopInTest({ sources: [keysOf(new Shelf())] });
    await stop();
    expect(seen).toEqual([]);
  });
});

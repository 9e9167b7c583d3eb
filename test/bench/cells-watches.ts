// What it costs to tell many watchers of a write. The few writes are counted too: with many watchers they no longer matter, if V8 has seen
// as many of them as in the cells of writes.
import { type Cell, succeed, timed } from './cell.ts';
import { writesUntilWarm } from './cells-writes.ts';
import { concurrently, extraPods, nextSerial, ownPod } from './reading.ts';
import type { Target } from './target.ts';
import { Watchers } from './watchers.ts';

export const watchCells: readonly Cell[] = [
  watching('watch event, 1 watcher', { count: 1, connections: 1, writes: 400, bar: 1 / 4 }),
  watching('watch event, 100 watchers', { count: 100, connections: 10, writes: 200, bar: 1 / 4 }),
  watching('watch event, 1000 watchers', { count: 1000, connections: 100, writes: 60, bar: 1 / 3 }),
  watching('watch event in protobuf, 100 watchers', { count: 100, connections: 10, writes: 200, bar: 1 / 4, isProtobuf: true }),
  watching('watch event in protobuf, 1000 watchers', { count: 1000, connections: 100, writes: 60, bar: 1 / 3, isProtobuf: true }),
];

interface FanOut {
  readonly count: number;
  readonly connections: number;
  readonly writes: number;
  readonly bar: number;
  readonly isProtobuf?: boolean;
}

/** An operation is an event at a watcher; what takes time is from the write to the last of them. */
export function watching(name: string, { count, connections, writes, bar, isProtobuf = false }: FanOut): Cell {
  const opened = new WeakMap<Target, { readonly watchers: Watchers; events: number }>();
  return {
    name,
    operations: writes * count,
    warmUp: 2 * writes * count,
    bar,
    open: async (target) => {
      await warmWrites(target);
      const { resourceVersion } = JSON.parse((await target.expect(200, { path: `${extraPods}?limit=1` })).body.toString()).metadata;
      const path = `${extraPods}?watch=true&resourceVersion=${resourceVersion}&timeoutSeconds=600`;
      const watchers = await Watchers.open(target, path, { count, connections, isProtobuf });
      opened.set(target, { watchers, events: 0 });
      return watchers;
    },
    turn: async (target, operations) => {
      const open = opened.get(target);
      if (open === undefined) throw new Error(`${name}: nobody watches`);
      return timed(1, operations / count, async () => {
        const received = open.watchers.received(++open.events);
        await createPod(target);
        await received;
      });
    },
  };
}

const warm = new WeakSet<Target>();

/** The reference is compiled before it starts. */
async function warmWrites(target: Target): Promise<void> {
  if (warm.has(target) || target.name === 'reference') return;
  warm.add(target);
  await concurrently(16, writesUntilWarm, () => createPod(target));
}

function createPod(target: Target): Promise<void> {
  return succeed(target, { method: 'POST', path: extraPods, body: ownPod(`extra-${nextSerial()}`) });
}

// Makes many things alike: one, then two, then four at a time. Where the first fails the others would too (a quota is used up, an image is
// forbidden), and the server is not asked a thousand times.
import { nextTurn } from '#base/next-turn.ts';

export interface SlowStart {
  readonly made: number;
  /** Of the first that failed. */
  readonly failure?: unknown;
}

/** Requests in process may never leave the turn: clients of the server are answered between so many. */
const perTurn = 16;

export async function slowStart(count: number, make: (index: number) => Promise<void>, firstBatch = 1): Promise<SlowStart> {
  let made = 0;
  for (let size = Math.min(count, firstBatch); size > 0; size = Math.min(2 * size, count - made)) {
    const from = made;
    const results = await settled(size, (index) => make(from + index));
    const failed = results.filter((result) => result.status === 'rejected');
    made += results.length - failed.length;
    if (failed[0]) return { made, failure: failed[0].reason };
  }
  return { made };
}

async function settled(count: number, make: (index: number) => Promise<void>): Promise<readonly PromiseSettledResult<void>[]> {
  const begun: Promise<readonly PromiseSettledResult<void>[]>[] = [];
  for (let from = 0; from < count; from += perTurn) {
    if (from > 0) await nextTurn();
    begun.push(Promise.allSettled(Array.from({ length: Math.min(perTurn, count - from) }, (_, index) => make(from + index))));
  }
  return (await Promise.all(begun)).flat();
}

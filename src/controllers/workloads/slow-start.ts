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
/** Of one batch, so many are under way: more would only wait for each other in this process, and what a request holds would grow old meanwhile. */
const atOnce = 8;

export async function slowStart(count: number, make: (index: number) => Promise<void>, firstBatch = 1): Promise<SlowStart> {
  let made = 0;
  for (let size = Math.min(count, firstBatch); size > 0; size = Math.min(2 * size, count - made)) {
    const from = made;
    const failures = await failuresOf(size, (index) => make(from + index));
    made += size - failures.length;
    if (failures.length > 0) return { made, failure: failures[0] };
  }
  return { made };
}

/** Of a batch, all of which is tried; in the order in which it was begun. */
async function failuresOf(count: number, make: (index: number) => Promise<void>): Promise<readonly unknown[]> {
  const failures: { readonly index: number; readonly cause: unknown }[] = [];
  let begun = 0;
  let untilNextTurn = perTurn;
  let next: Promise<void> | undefined;
  const awaitTurn = async () => {
    await nextTurn();
    untilNextTurn = begun + perTurn;
    next = undefined;
  };
  const work = async () => {
    while (begun < count) {
      if (begun >= untilNextTurn) {
        await (next ??= awaitTurn());
        continue;
      }
      const index = begun++;
      await make(index).catch((cause: unknown) => failures.push({ index, cause }));
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, atOnce) }, work));
  return failures.sort((a, b) => a.index - b.index).map(({ cause }) => cause);
}

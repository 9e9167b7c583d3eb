// Makes many things alike: one, then two, then four at a time. Where the first fails the others would too (a quota is used up, an image is
// forbidden), and the server is not asked a thousand times.

export interface SlowStart {
  readonly made: number;
  /** Of the first that failed. */
  readonly failure?: unknown;
}

export async function slowStart(count: number, make: (index: number) => Promise<void>, firstBatch = 1): Promise<SlowStart> {
  let made = 0;
  for (let size = Math.min(count, firstBatch); size > 0; size = Math.min(2 * size, count - made)) {
    const from = made;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => make(from + index)));
    const failed = results.filter((result) => result.status === 'rejected');
    made += results.length - failed.length;
    if (failed[0]) return { made, failure: failed[0].reason };
  }
  return { made };
}

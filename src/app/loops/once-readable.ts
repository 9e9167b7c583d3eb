import { ApiError } from '#api/api-error.ts';
import type { Reads } from '#app/reads.ts';
import { pause } from '#base/timers.ts';

const retryMs = 1_000;

/**
 * For what a start cannot do without: where a stored object was damaged, lists of its resource are refused until someone mends or deletes it. The server
 * stays up meanwhile and says what it waits for; everything else is served, as the original does.
 */
export async function onceReadable(
  { log, timers }: Pick<Reads, 'log' | 'timers'>,
  what: string,
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 429)) throw error;
      log.error('the start waits for objects that cannot be read', undefined, { what, err: error.message });
      await pause(timers, retryMs, signal);
    }
  }
}

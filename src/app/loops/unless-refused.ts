import { ApiError } from '#api/api-error.ts';
import type { Log } from '#base/log.ts';

/**
 * For what is tried again while the server runs: admission may refuse even the server's own writes (AlwaysDeny, a policy), and a server on
 * data that is already there starts all the same.
 */
export async function unlessRefused(log: Log, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 403)) throw error;
    log.warn('the server was refused what it does at its start; it will try again', { what, err: error.message });
  }
}

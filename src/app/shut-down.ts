// How a server stops: /readyz first, then no new requests, then watches and other streams, then the connections. A client that
// keeps up gets its answer; one that does not cannot keep the server: without flags that ask for more time it is gone within 5 s.
import type { ApiServer } from '#app/api-server.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { systemTimers } from '#base/timers.ts';
import type { Listener } from '#server/front/listen.ts';
import type { Store } from '#store/store.ts';

export interface Stopping {
  readonly api: ApiServer;
  readonly listeners: readonly Listener[];
  readonly store: Pick<Store, 'close'>;
  /** Ends the server's own loops. */
  readonly stopped: AbortController;
  readonly options: ShutdownOptions;
  /** What others are told first: this server goes. */
  readonly first: () => Promise<void>;
  /** What has to be closed last, when nothing happens any more. */
  readonly last: () => Promise<void>;
}

export interface ShutdownOptions {
  /** Requests are served as ever for so long while /readyz says that it is time to go elsewhere. */
  readonly delayMs: number;
  /** New requests, also on new connections, get a 429 until the running ones have ended; else the port closes at once. */
  readonly sendRetryAfter: boolean;
  /** Watches are ended one by one within this time; 0: all at once. */
  readonly watchGraceMs: number;
}

export function shutdownOptions({ flags }: ServerOptions): ShutdownOptions {
  return {
    delayMs: flags.durationMs('shutdown-delay-duration'),
    sendRetryAfter: flags.boolean('shutdown-send-retry-after'),
    watchGraceMs: flags.durationMs('shutdown-watch-termination-grace-period'),
  };
}

/** For a server whose start has failed: nobody was served by it. */
export const atOnce: ShutdownOptions = { delayMs: 0, sendRetryAfter: false, watchGraceMs: 0 };

/** Requests that run get this long. The original gives them --request-timeout; a client that sends nothing must not hold a restart for a minute. */
const drainMs = 2500;
/** For telling others, who find out by themselves when it takes longer. */
const announceMs = 2000;
/** Answers that are still on their way out when nothing runs any more get this long. */
const farewellMs = 1000;

export async function shutDown({ api, listeners, store, stopped, options, first, last }: Stopping): Promise<void> {
  const { delayMs, sendRetryAfter, watchGraceMs } = options;
  api.requests.announceStop();
  await Promise.all([within(announceMs, first()), delayMs > 0 ? within(delayMs) : undefined]);
  const drained = Promise.all([
    api.requests.drain(sendRetryAfter ? 'later' : 'unavailable', drainMs, systemTimers),
    watchGraceMs > 0 ? api.requests.endStreams(watchGraceMs, systemTimers) : undefined,
  ]);
  if (sendRetryAfter) await drained;
  const closed = Promise.all(listeners.map((listener) => listener.close()));
  await drained;
  api.requests.endAllStreams();
  stopped.abort();
  await api.close();
  const cut = setTimeout(() => listeners.forEach((listener) => listener.destroy()), farewellMs);
  await closed;
  clearTimeout(cut);
  await last();
  await store.close();
}

/** When the work is done, or the time is over. */
function within(milliseconds: number, work?: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void work?.then(resolve).finally(() => clearTimeout(timer));
  });
}

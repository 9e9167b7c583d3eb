// The simple mode, without priority and fairness: so many reads and so many writes at once, the rest is refused.
import { isLongRunning } from '#api/request-info.ts';
import { MASTERS } from '#api/user.ts';
import type { Middleware } from '#server/front/exchange.ts';
import { refuseForNow } from '#server/flow-control/refuse-for-now.ts';

export interface InFlightLimits {
  /** 0: no limit. */
  readonly reads: number;
  readonly writes: number;
}

const readVerbs = new Set(['get', 'list', 'watch']);

export class InFlight {
  reads = 0;
  writes = 0;
}

export function limitInFlight(limits: InFlightLimits, inFlight: InFlight): Middleware {
  return (next) => async (exchange) => {
    const { info, user } = exchange;
    if (isLongRunning(info)) return next(exchange);
    const kind = readVerbs.has(info.verb) ? 'reads' : 'writes';
    const full = limits[kind] > 0 && inFlight[kind] >= limits[kind];
    if (full && !user.groups.includes(MASTERS)) return refuseForNow(exchange, 1);
    inFlight[kind] += 1;
    try {
      await next(exchange);
    } finally {
      exchange.onTaken(once(() => (inFlight[kind] -= 1)));
    }
  };
}

function once(task: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) task();
    isDone = true;
  };
}

// Priority and fairness as a step of the pipeline: a request goes on when its level has seats for it.
import { isLongRunning } from '#api/request-info.ts';
import type { Exchange, Handler, Middleware } from '#server/front/exchange.ts';
import type { FlowController, Place } from '#server/flow-control/flow-controller.ts';
import { refuseForNow } from '#server/flow-control/refuse-for-now.ts';
import { costOf, type SizeOf } from '#server/flow-control/request-cost.ts';
import type { Leave } from '#server/flow-control/priority-level.ts';

export function limitFlows(controller: FlowController, sizeOf: SizeOf): Middleware {
  return (next) => (exchange) => {
    const { info, user } = exchange;
    const watching = info.verb === 'watch' && info.isResource;
    if (!watching && isLongRunning(info)) return next(exchange);
    const place = controller.placeOf(user, info);
    if (place.schemaUid !== '') exchange.setHeader('x-kubernetes-pf-flowschema-uid', place.schemaUid);
    if (place.level.uid !== '') exchange.setHeader('x-kubernetes-pf-prioritylevel-uid', place.level.uid);
    return serve(exchange, place, sizeOf, watching, next);
  };
}

async function serve(exchange: Exchange, { level, schema, flow }: Place, sizeOf: SizeOf, watching: boolean, next: Handler): Promise<void> {
  const { seats, lingerMs } = costOf(exchange.info, () => exchange.query, sizeOf, level.nominal);
  const asked = { user: exchange.user.name, info: exchange.info };
  const entered = level.enter({ schema, flow, seats, lingerMs, asker: exchange, asked });
  const leave: Leave | string = typeof entered === 'function' || typeof entered === 'string' ? entered : await entered;
  if (typeof leave === 'string') return refuseForNow(exchange, level.retryAfter.seconds);
  // A watch that has begun costs little: it keeps its seats only until then.
  if (watching) exchange.observe({ answerBegun: leave });
  try {
    await next(exchange);
  } finally {
    // The original's handlers write until the client has taken all: an answer that waits is paid for like one that is made.
    exchange.onTaken(leave);
  }
}

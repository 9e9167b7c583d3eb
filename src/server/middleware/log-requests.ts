// The request log: a line per request from -v=3 on. Never a header, never a body: tokens live there.
import type { Log } from '#base/log.ts';
import type { Exchange, Handler, Middleware } from '#server/front/exchange.ts';

const fromVerbosity = 3;

export function logRequests(log: Log, verbosity: { readonly value: number }, now: () => number): Middleware {
  return (next) => (exchange) => (verbosity.value < fromVerbosity ? next(exchange) : logged(next, exchange, log, now));
}

async function logged(next: Handler, exchange: Exchange, log: Log, now: () => number): Promise<void> {
  const started = now();
  let resp = 0;
  exchange.observe({
    answerBegun: (code) => {
      resp = code;
    },
  });
  try {
    await next(exchange);
  } finally {
    const { method, path, protocol, remoteAddress, auditId } = exchange;
    const userAgent = String(exchange.headers['user-agent'] ?? '').slice(0, 256);
    // After this step the error still has to be answered: then its code is not known yet.
    const latencyMs = Math.round((now() - started) * 1000) / 1000;
    log.info('HTTP', { verb: method, URI: path, latencyMs, protocol, userAgent, srcIP: remoteAddress, auditID: auditId, ...(resp > 0 && { resp }) });
  }
}

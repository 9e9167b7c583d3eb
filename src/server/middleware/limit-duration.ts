// No request that ends by itself may take longer than `?timeout=` says, and never longer than the server's own limit.
import { badRequest } from '#api/api-error.ts';
import { isLongRunning } from '#api/request-info.ts';
import { parseGoDuration } from '#api/go-duration.ts';
import { DurationError, parseDuration } from '#base/time/duration.ts';
import { goTimeQuote } from '#base/go-text.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';

/** Upstream writes this Status without its kind, as plain text. */
const timeoutBody = `${JSON.stringify({
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
})}\n`;

/** What is shorter is over before anything can be done. */
const timerResolutionMs = 1;

export function limitDuration(requestTimeoutMs: number): Middleware {
  return (next) => async (exchange) => {
    if (isLongRunning(exchange.info)) return next(exchange);
    const timeout = timeoutOf(exchange, requestTimeoutMs);
    if (timeout < timerResolutionMs) return expire(exchange);
    const timer = setTimeout(expire, timeout, exchange);
    try {
      await next(exchange);
    } finally {
      // A client that does not take its answer has no more time than one that does not send its body.
      if (exchange.taken) clearTimeout(timer);
      else exchange.onTaken(() => clearTimeout(timer));
    }
  };
}

function expire(exchange: Exchange): void {
  exchange.cutShort(504, 'text/plain; charset=utf-8', timeoutBody);
}

function timeoutOf({ query }: Exchange, limit: number): number {
  const asked = query.get('timeout') ?? '';
  if (asked === '') return limit;
  const duration = durationOf(asked);
  return duration <= 0 ? limit : Math.min(duration, limit);
}

/** In milliseconds. Before authentication, as in the original, so that a text of any length must be read quickly. */
function durationOf(text: string): number {
  const duration = parseGoDuration(text);
  if (duration === undefined) throw badRequest(`invalid timeout specified in the request URL - ${problemWith(text)}`);
  return duration;
}

/** Beyond this the exact words are not worth their time. */
const longestExplained = 1000;

function problemWith(text: string): string {
  try {
    if (text.length <= longestExplained) parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) return error.message;
  }
  return `time: invalid duration ${goTimeQuote(text)}`;
}

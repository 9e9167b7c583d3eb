import type { Exchange } from '#server/front/exchange.ts';

/** The 429 of an overloaded server: plain text, unlike all other refusals. */
export function refuseForNow(exchange: Exchange, retryAfterSeconds: number): void {
  exchange.setHeader('retry-after', String(retryAfterSeconds));
  exchange.setHeader('x-content-type-options', 'nosniff');
  exchange.send(429, 'text/plain; charset=utf-8', 'Too many requests, please try again later.\n');
}

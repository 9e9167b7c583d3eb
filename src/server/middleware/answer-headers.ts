// Headers that operators ask for: strict transport security, and now and then a goodbye to balance connections.
import type { Middleware } from '#server/front/exchange.ts';

/** `Strict-Transport-Security` on every answer. */
export function demandHttps(directives: readonly string[]): Middleware {
  const value = directives.join('; ');
  return (next) => (exchange) => {
    exchange.setHeader('strict-transport-security', value);
    return next(exchange);
  };
}

/** One in so many HTTP/2 requests ends its connection, so that clients spread over the servers behind a balancer. */
export function sendGoaway(chance: number, random: () => number): Middleware {
  return (next) => (exchange) => {
    if (exchange.protocol === 'HTTP/2.0' && random() < chance) exchange.setHeader('connection', 'close');
    return next(exchange);
  };
}

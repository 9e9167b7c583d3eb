import type { Middleware } from '#server/front/exchange.ts';

/** Documents that may be cached set a header of their own later. */
export function forbidCaching(): Middleware {
  return (next) => (exchange) => {
    exchange.setHeader('cache-control', 'no-cache, private');
    return next(exchange);
  };
}

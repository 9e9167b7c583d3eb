import { parseRequestInfo } from '#api/request-info.ts';
import type { Middleware } from '#server/front/exchange.ts';

export function resolveRequestInfo(): Middleware {
  return (next) => (exchange) => {
    exchange.info = parseRequestInfo(exchange);
    return next(exchange);
  };
}

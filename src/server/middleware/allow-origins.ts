// CORS, for the origins that the operator names: pages of these origins may call the API with credentials.
import type { Middleware } from '#server/front/exchange.ts';

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const requestHeaders = 'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/** The patterns are matched anywhere in the origin, unless they are anchored. */
export function allowOrigins(patterns: readonly RegExp[]): Middleware {
  return (next) => (exchange) => {
    const origin = exchange.headers['origin'];
    if (typeof origin !== 'string' || !patterns.some((pattern) => pattern.test(origin))) return next(exchange);
    exchange.setHeader('access-control-allow-origin', origin);
    exchange.setHeader('access-control-allow-methods', methods);
    exchange.setHeader('access-control-allow-headers', requestHeaders);
    exchange.setHeader('access-control-expose-headers', 'Date');
    exchange.setHeader('access-control-allow-credentials', 'true');
    if (exchange.method !== 'OPTIONS') return next(exchange);
    exchange.send(204, '', '');
    return Promise.resolve();
  };
}

import { randomUUID } from 'node:crypto';
import type { Middleware } from '#server/front/exchange.ts';

/** The client's own id, if it sent one, else a new one; the answer repeats it. */
export function assignAuditId(): Middleware {
  return (next) => (exchange) => {
    const given = exchange.headers['audit-id'];
    exchange.auditId = typeof given === 'string' && given !== '' ? given : randomUUID();
    exchange.setHeader('audit-id', exchange.auditId);
    return next(exchange);
  };
}

import { unauthorized } from '#auth/authentication/bearer-token.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Middleware } from '#server/exchange.ts';

export function authenticate(authenticator: Authenticator): Middleware {
  return (next) => async (exchange) => {
    const user = await authenticator(exchange);
    if (user === undefined) throw unauthorized();
    exchange.user = user;
    return next(exchange);
  };
}

import { anonymousUser, type User } from '#api/user.ts';
import { unauthorized } from '#auth/authentication/bearer-token.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { Exchange, Middleware } from '#server/front/exchange.ts';

/** What became of an attempt; `user` when a credential was recognized. */
export type AuthenticationListener = (user: User | undefined, exchange: Exchange) => void;

export interface AuthenticateOptions {
  readonly listener?: AuthenticationListener | undefined;
  /** By which proxies in front of this server name the user (lower case): nobody behind it may believe them again. */
  readonly isProxyHeader?: ((name: string) => boolean) | undefined;
}

export function authenticate(authenticator: Authenticator, { listener, isProxyHeader }: AuthenticateOptions = {}): Middleware {
  return (next) => (exchange) => {
    const serveAs = (user: User): Promise<void> => {
      if (isProxyHeader !== undefined) forgetHeaders(exchange.headers, isProxyHeader);
      if (user.name === anonymousUser.name) endConnection(exchange);
      exchange.user = user;
      return next(exchange);
    };
    const recognizing = recognize(authenticator, exchange, listener);
    return recognizing instanceof Promise ? recognizing.then(serveAs) : serveAs(recognizing);
  };
}

function forgetHeaders(headers: Record<string, unknown>, isForgotten: (name: string) => boolean): void {
  for (const name of Object.keys(headers)) if (isForgotten(name)) delete headers[name];
}

function recognize(authenticator: Authenticator, exchange: Exchange, listener: AuthenticationListener | undefined): MaybePromise<User> {
  const refused = (refusal: unknown): never => {
    listener?.(undefined, exchange);
    endConnection(exchange);
    throw refusal;
  };
  const recognized = (user: User | undefined): User => {
    if (user === undefined) return refused(unauthorized());
    listener?.(user, exchange);
    return user;
  };
  let user: MaybePromise<User | undefined>;
  try {
    user = authenticator(exchange);
  } catch (refusal) {
    return refused(refusal);
  }
  return user instanceof Promise ? user.then(recognized, refused) : recognized(user);
}

/** An anonymous or refused client does not keep its HTTP/2 connection: opening and resetting streams is cheap for it and dear for the server. */
function endConnection(exchange: Exchange): void {
  if (exchange.protocol === 'HTTP/2.0') exchange.setHeader('connection', 'close');
}

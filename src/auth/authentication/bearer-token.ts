import { ApiError } from '#api/api-error.ts';
import type { User } from '#api/user.ts';
import type { Authenticator, Credentials } from '#auth/authenticator.ts';

/** Undefined: not a token of this kind. */
export type TokenAuthenticator = (token: string) => Promise<User | undefined>;

const subprotocolPrefix = 'base64url.bearer.authorization.k8s.io.';
const extraSpaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** A token that nobody knows is wrong, not absent: 401, never anonymous. */
export function bearerToken(authenticators: readonly TokenAuthenticator[]): Authenticator {
  return async (request) => {
    const token = tokenOfHeader(request) ?? tokenOfSubprotocol(request);
    if (token === undefined) return undefined;
    for (const authenticate of authenticators) {
      const user = await authenticate(token);
      if (user !== undefined) return user;
    }
    throw unauthorized();
  };
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized');
}

/** A scheme other than bearer, an empty token or two blanks before it count as no credentials. */
function tokenOfHeader(request: Credentials): string | undefined {
  const header = request.headers['authorization'];
  if (typeof header !== 'string') return undefined;
  const [scheme = '', token, ...rest] = header.trim().split(' ');
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return undefined;
  if (token === '' && rest.length > 0) request.warn(extraSpaceWarning);
  return token === '' ? undefined : token;
}

/** Browsers cannot set headers on a WebSocket: the token comes as one of the offered sub-protocols. */
function tokenOfSubprotocol({ headers }: Credentials): string | undefined {
  if (String(headers['upgrade'] ?? '').toLowerCase() !== 'websocket') return undefined;
  const offered = String(headers['sec-websocket-protocol'] ?? '').split(',');
  const found = offered.map((protocol) => protocol.trim()).find((protocol) => protocol.startsWith(subprotocolPrefix));
  const token = found === undefined ? '' : Buffer.from(found.slice(subprotocolPrefix.length), 'base64url').toString();
  return token === '' ? undefined : token;
}

import { ApiError } from '#api/api-error.ts';
import { judgeToken, type TokenAuthenticator } from '#auth/authentication/token-verdict.ts';
import type { Authenticator, Credentials } from '#auth/authenticator.ts';

const subprotocolPrefix = 'base64url.bearer.authorization.k8s.io.';
/** Browsers offer a handful. */
const mostProtocols = 100;
const extraSpaceWarning = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** A token that nobody knows is wrong, not absent: 401, never anonymous. `audiences` are those of this server. */
export function bearerToken(authenticators: () => readonly TokenAuthenticator[], audiences: readonly string[] = []): Authenticator {
  const judged = async (token: string, request: Credentials) => {
    const verdict = await judgeToken(authenticators(), token, { audiences, warn: (text) => request.warn(text) });
    if ('refused' in verdict) throw unauthorized(verdict.refused);
    return verdict.user;
  };
  return (request) => {
    const token = tokenOfHeader(request) ?? tokenOfSubprotocol(request);
    return token === undefined ? undefined : judged(token, request);
  };
}

/** Why is for the log only. */
export function unauthorized(why?: string): ApiError {
  return new ApiError(401, 'Unauthorized', 'Unauthorized', why === undefined ? {} : { cause: why });
}

/** A scheme other than bearer, an empty token or two blanks before it count as no credentials. */
export function tokenOfHeader(request: Pick<Credentials, 'headers' | 'warn'>): string | undefined {
  const header = request.headers['authorization'];
  if (typeof header !== 'string') return undefined;
  // Of more than three parts the rest means nothing: a header may have a million blanks.
  const [scheme = '', token, next] = header.trim().split(' ', 3);
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return undefined;
  if (token === '' && next !== undefined) request.warn(extraSpaceWarning);
  return token === '' ? undefined : token;
}

/** Browsers cannot set headers on a WebSocket: the token comes as one of the offered sub-protocols. */
function tokenOfSubprotocol({ headers }: Credentials): string | undefined {
  if (String(headers['upgrade'] ?? '').toLowerCase() !== 'websocket') return undefined;
  const offered = String(headers['sec-websocket-protocol'] ?? '')
    .split(',', mostProtocols)
    .map((protocol) => protocol.trim());
  const found = offered.find((protocol) => protocol.startsWith(subprotocolPrefix));
  // The server has to choose a protocol, and never the one that is a secret.
  if (found !== undefined && offered.every((protocol) => protocol.startsWith(subprotocolPrefix))) throw unauthorized('missing additional subprotocol');
  const token = found === undefined ? '' : Buffer.from(found.slice(subprotocolPrefix.length), 'base64url').toString();
  return token === '' ? undefined : token;
}

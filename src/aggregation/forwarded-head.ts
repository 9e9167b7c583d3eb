// What an extension server is told about a request: who asks, as this server has found out, and nothing by which others could claim to be somebody.
import type { NetworkAddress } from '#base/outgoing/target.ts';
import type { User } from '#api/user.ts';
import type { Exchange } from '#server/front/exchange.ts';

type Headers = Record<string, string | readonly string[]>;

/** They speak of one connection, and there are two. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'transfer-encoding',
  'te',
  'upgrade',
  'trailer',
]);
/** Credentials are for this server alone. */
const withheld = /^(?:authorization|host|impersonate-.*|x-remote-(?:user|uid|group|extra-.*)|x-forwarded-(?:host|proto|uri)|:.*)$/;

export function forwardedHeaders(exchange: Exchange, address: NetworkAddress, path: string): Headers {
  const named = namedByConnection(exchange.headers['connection']);
  const isPassedOn = (name: string) => !hopByHop.has(name) && !withheld.test(name) && !named.has(name);
  const kept = Object.entries(exchange.headers).filter(([name, value]) => value !== undefined && isPassedOn(name));
  const host = `${address.host.includes(':') ? `[${address.host}]` : address.host}:${address.port}`;
  const before = exchange.headers['x-forwarded-for'];
  return {
    ...(Object.fromEntries(kept) as Headers),
    host,
    'audit-id': exchange.auditId,
    'x-forwarded-for': [...(before === undefined ? [] : [String(before)]), exchange.remoteAddress].join(', '),
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': path,
    ...userHeaders(exchange.user),
  };
}

/** As front proxies tell who asks. */
export function userHeaders({ name, uid = '', groups, extra }: Pick<User, 'name' | 'uid' | 'groups' | 'extra'>): Headers {
  const more = Object.entries(extra ?? {}).map(([key, values]) => [`x-remote-extra-${escapedKey(key)}`, values] as const);
  return {
    'x-remote-user': name,
    ...(uid !== '' && { 'x-remote-uid': uid }),
    ...(groups.length > 0 && { 'x-remote-group': groups }),
    ...Object.fromEntries(more),
  };
}

export function answeredHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const named = namedByConnection(headers['connection']);
  const own = Object.entries(headers).filter(([name, value]) => value !== undefined && !hopByHop.has(name) && !named.has(name));
  return Object.fromEntries(own) as Headers;
}

/** Whoever names a header in Connection means it for one connection. */
function namedByConnection(connection: string | readonly string[] | undefined): ReadonlySet<string> {
  return new Set(
    String(connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
}

/** Keys of extra fields may hold what names of headers may not. */
function escapedKey(key: string): string {
  return [...Buffer.from(key.toLowerCase())]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z0-9!#$&'*+\-.^_`|~]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Path and query as Go's net/url writes them again. */
export function rewrittenTarget(path: string, query: URLSearchParams): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  const text = sorted.toString().replaceAll('%7E', '~').replaceAll('*', '%2A');
  return text === '' ? escapedPath(path) : `${escapedPath(path)}?${text}`;
}

export function escapedPath(path: string): string {
  return encodeURIComponent(path)
    .replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

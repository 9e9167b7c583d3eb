// URLs as Go's net/url reads them (Go 1.26), which differs from WHATWG's URL in almost everything.
// Works on bytes, held in texts of one character per byte, since Go unescapes to bytes and escapes bytes.
import { goQuote } from '#base/go-text.ts';
import { parseAddress } from '#cel/library/netip.ts';
import { type Parsed, parsed, unparsed } from '#cel/library/parsed.ts';

export interface GoUrl {
  readonly scheme: string;
  /** What follows the scheme of a URL without slash: `mailto:a@b`. */
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  readonly host: string;
  /** As it stands in the text. */
  readonly escapedPath: string;
  readonly query: string;
  readonly forceQuery: boolean;
  readonly fragment: string;
  /** There is a scheme and a path but no `//`. */
  readonly omitHost: boolean;
}

interface UserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

type Component = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

/** What each component may hold unescaped, besides letters, digits and `-_.~`. */
const allowed: Readonly<Record<Component, RegExp>> = {
  path: /[A-Za-z0-9\-_.~$&+/:=@]/,
  host: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  zone: /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/,
  user: /[A-Za-z0-9\-_.~$&+,;=]/,
  query: /[A-Za-z0-9\-_.~]/,
  fragment: /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/,
};

/** url.ParseRequestURI: absolute, or a path from the root; a fragment is not told apart. */
export function parseRequestUri(text: string): Parsed<GoUrl> {
  const url = parseParts(toBytes(text), true);
  return url.ok ? url : unparsed(`parse ${goQuote(text)}: ${url.problem}`);
}

/** url.Parse. */
export function parseUrl(text: string): Parsed<GoUrl> {
  const [before, fragment] = cut(toBytes(text), '#');
  const url = parseParts(before, false);
  if (!url.ok) return unparsed(`parse ${quoteBytes(before)}: ${url.problem}`);
  const unescaped = unescapeBytes(fragment ?? '', 'fragment');
  if (!unescaped.ok) return unparsed(`parse ${goQuote(text)}: ${unescaped.problem}`);
  return parsed({ ...url.value, fragment: escapedForm(fragment ?? '', unescaped.value, 'fragment') });
}

/** URL.String: what equality of two URLs compares. */
export function formatUrl(url: GoUrl): string {
  let text = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') text += url.opaque;
  else text += formatHierarchy(url, text === '');
  if (url.forceQuery || url.query !== '') text += `?${url.query}`;
  if (url.fragment !== '') text += `#${url.fragment}`;
  return fromBytes(text);
}

export function schemeOf(url: GoUrl): string {
  return fromBytes(url.scheme);
}

export function hostOf(url: GoUrl): string {
  return fromBytes(url.host);
}

export function hostnameOf(url: GoUrl): string {
  const { hostname } = splitHost(url.host);
  return fromBytes(hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname);
}

export function portOf(url: GoUrl): string {
  return splitHost(url.host).port;
}

export function escapedPathOf(url: GoUrl): string {
  return fromBytes(url.escapedPath);
}

/** More parameters than this count as none. */
const maximumParameters = 10_000;

/** URL.Query: parameters that cannot be unescaped, or hold a semicolon, are left out. */
export function queryOf(url: GoUrl): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const pairs = url.query.split('&');
  if (pairs.length > maximumParameters) return values;
  for (const pair of pairs) {
    if (pair === '' || pair.includes(';')) continue;
    const [rawKey, rawValue] = cut(pair, '=');
    const key = unescapeBytes(rawKey, 'query');
    const value = unescapeBytes(rawValue ?? '', 'query');
    if (!key.ok || !value.ok) continue;
    const name = fromBytes(key.value);
    const known = values.get(name);
    if (known === undefined) values.set(name, [fromBytes(value.value)]);
    else known.push(fromBytes(value.value));
  }
  return values;
}

function parseParts(text: string, viaRequest: boolean): Parsed<GoUrl> {
  if (/[\0-\x1f\x7f]/.test(text)) return unparsed('net/url: invalid control character in URL');
  if (text === '' && viaRequest) return unparsed('empty url');
  const empty: GoUrl = { scheme: '', opaque: '', user: undefined, host: '', escapedPath: '', query: '', forceQuery: false, fragment: '', omitHost: false };
  if (text === '*') return parsed({ ...empty, escapedPath: '*' });
  if (text.startsWith(':')) return unparsed('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const forceQuery = afterScheme.indexOf('?') === afterScheme.length - 1 && afterScheme !== '';
  const [rest, query = ''] = cut(afterScheme, '?');
  const url = { ...empty, scheme: scheme.toLowerCase(), query, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return parsed({ ...url, opaque: rest });
    if (viaRequest) return unparsed('invalid URI for request');
    if (cut(rest, '/')[0].includes(':')) return unparsed('first path segment in URL cannot contain colon');
  }
  return parseHierarchy(url, rest, viaRequest);
}

function parseHierarchy(url: GoUrl, rest: string, viaRequest: boolean): Parsed<GoUrl> {
  const takesAuthority = url.scheme !== '' || (!viaRequest && !rest.startsWith('///'));
  if (!takesAuthority || !rest.startsWith('//')) return withPath({ ...url, omitHost: url.scheme !== '' && rest.startsWith('/') }, rest);
  const slash = rest.indexOf('/', 2);
  const authority = parseAuthority(url.scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
  if (!authority.ok) return authority;
  return withPath({ ...url, ...authority.value }, slash < 0 ? '' : rest.slice(slash));
}

function withPath(url: GoUrl, path: string): Parsed<GoUrl> {
  const unescaped = unescapeBytes(path, 'path');
  return unescaped.ok ? parsed({ ...url, escapedPath: escapedForm(path, unescaped.value, 'path') }) : unescaped;
}

function parseAuthority(scheme: string, authority: string): Parsed<Pick<GoUrl, 'user' | 'host'>> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (!host.ok) return host;
  if (at < 0) return parsed({ user: undefined, host: host.value });
  const userInfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userInfo)) return unparsed('net/url: invalid userinfo');
  const [rawName, rawPassword] = cut(userInfo, ':');
  const name = unescapeBytes(rawName, 'user');
  if (!name.ok) return name;
  const password = unescapeBytes(rawPassword ?? '', 'user');
  if (!password.ok) return password;
  return parsed({ user: { name: name.value, password: rawPassword === undefined ? undefined : password.value }, host: host.value });
}

function parseHost(scheme: string, host: string): Parsed<string> {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return unparsed('invalid IP-literal');
  if (bracket === 0) return parseIpLiteral(host);
  // Only http and https must not have more than one colon.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0 && !isOptionalPort(host.slice(colon))) return unparsed(`invalid port ${quoteBytes(host.slice(colon))} after host`);
  return unescapeBytes(host, 'host');
}

/** `[fe80::1%25en0]:80`. */
function parseIpLiteral(host: string): Parsed<string> {
  const close = host.lastIndexOf(']');
  if (close < 0) return unparsed("missing ']' in host");
  const port = host.slice(close + 1);
  if (!isOptionalPort(port)) return unparsed(`invalid port ${quoteBytes(port)} after host`);
  const literal = host.slice(1, close);
  const zoneAt = literal.indexOf('%25');
  const name = unescapeBytes(zoneAt < 0 ? literal : literal.slice(0, zoneAt), 'host');
  if (!name.ok) return name;
  const zone = unescapeBytes(zoneAt < 0 ? '' : literal.slice(zoneAt), 'zone');
  if (!zone.ok) return zone;
  const address = parseAddress(fromBytes(name.value + zone.value));
  if (!address.ok) return unparsed(`invalid host: ${address.problem}`);
  if (address.value.family === 4) return unparsed('invalid IP-literal');
  return parsed(`[${name.value}${zone.value}]${port}`);
}

function isOptionalPort(text: string): boolean {
  return /^(?::[0-9]*)?$/.test(text);
}

function splitHost(host: string): { readonly hostname: string; readonly port: string } {
  const colon = host.lastIndexOf(':');
  if (colon < 0 || !isOptionalPort(host.slice(colon))) return { hostname: host, port: '' };
  return { hostname: host.slice(0, colon), port: host.slice(colon + 1) };
}

function formatHierarchy(url: GoUrl, first: boolean): string {
  let text = '';
  if ((url.scheme !== '' || url.host !== '' || url.user !== undefined) && !(url.omitHost && url.host === '' && url.user === undefined)) {
    if (url.host !== '' || url.escapedPath !== '' || url.user !== undefined) text += '//';
    if (url.user !== undefined) text += `${formatUser(url.user)}@`;
    text += escapeBytes(url.host, 'host');
  }
  if (url.escapedPath !== '' && !url.escapedPath.startsWith('/') && url.host !== '') text += '/';
  if (first && text === '' && cut(url.escapedPath, '/')[0].includes(':')) text += './';
  return text + url.escapedPath;
}

function formatUser({ name, password }: UserInfo): string {
  const escaped = escapeBytes(name, 'user');
  return password === undefined ? escaped : `${escaped}:${escapeBytes(password, 'user')}`;
}

/** Go keeps the spelling of the text where it is a valid encoding, and escapes anew where not. */
function escapedForm(raw: string, unescaped: string, component: 'path' | 'fragment'): string {
  const escaped = escapeBytes(unescaped, component);
  return raw === escaped || !isValidEncoding(raw, component) ? escaped : raw;
}

function isValidEncoding(text: string, component: Component): boolean {
  for (const byte of text) if (!/[!$&'()*+,;=:@[\]%]/.test(byte) && !allowed[component].test(byte)) return false;
  return true;
}

function escapeBytes(text: string, component: Component): string {
  let escaped = '';
  for (const byte of text) escaped += allowed[component].test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return escaped;
}

function unescapeBytes(text: string, component: Component): Parsed<string> {
  let unescaped = '';
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? '';
    if (byte === '%') {
      const escape = text.slice(at, at + 3);
      if (!isAllowedEscape(escape, component)) return unparsed(`invalid URL escape ${quoteBytes(escape)}`);
      unescaped += String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      at += 2;
    } else {
      const strict = component === 'host' || component === 'zone';
      if (strict && byte < '\x80' && !allowed[component].test(byte)) return unparsed(`invalid character ${quoteBytes(byte)} in host name`);
      unescaped += byte === '+' && component === 'query' ? ' ' : byte;
    }
  }
  return parsed(unescaped);
}

/** In a host only bytes beyond ASCII may be escaped, in a zone also what a host may hold, and the space. */
function isAllowedEscape(escape: string, component: Component): boolean {
  if (!/^%[0-9a-fA-F]{2}$/.test(escape)) return false;
  if (escape === '%25') return true;
  const byte = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  if (component === 'host') return byte >= '\x80';
  return component !== 'zone' || byte === ' ' || allowed.host.test(byte);
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function toBytes(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function fromBytes(bytes: string): string {
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

const wholeCharacters = /[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/** strconv.Quote of bytes: those that are no UTF-8 stand as `\xe9`. */
function quoteBytes(bytes: string): string {
  let quoted = '';
  for (const [part] of bytes.matchAll(new RegExp(`${wholeCharacters.source}|[^]`, 'g'))) {
    quoted += wholeCharacters.test(part) ? goQuote(fromBytes(part)).slice(1, -1) : `\\x${part.charCodeAt(0).toString(16)}`;
  }
  return `"${quoted}"`;
}

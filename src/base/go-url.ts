// Go's url.Parse: the parts that validation looks at, or what is wrong, in its words.
import { goQuote } from '#base/go-text.ts';

export interface GoUrl {
  readonly scheme: string;
  readonly host: string;
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

export function parseGoUrl(text: string): GoUrl | { readonly problem: string } {
  const [rest = '', ...fragments] = text.split('#');
  const fragment = fragments.join('#');
  try {
    return { ...parseParts(rest), fragment: unescaped(fragment) };
  } catch (problem) {
    return { problem: `parse ${goQuote(text)}: ${(problem as Error).message}` };
  }
}

function parseParts(text: string): Omit<GoUrl, 'fragment'> {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new Error('net/url: invalid control character in URL');
  const { scheme, rest } = splitScheme(text);
  const mark = rest.indexOf('?');
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  const body = mark < 0 ? rest : rest.slice(0, mark);
  if (!body.startsWith('/')) {
    if (scheme !== '') return { scheme, host: '', user: undefined, query };
    if (body.split('/', 1)[0]?.includes(':')) throw new Error('first path segment in URL cannot contain colon');
  }
  const hasAuthority = (scheme !== '' || !body.startsWith('///')) && body.startsWith('//');
  const authority = hasAuthority ? (/^\/\/([^/]*)/.exec(body)?.[1] ?? '') : '';
  unescaped(hasAuthority ? body.slice(2 + authority.length) : body);
  return { scheme, query, ...parseAuthority(authority) };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  if (match !== null) return { scheme: (match[1] ?? '').toLowerCase(), rest: text.slice(match[0].length) };
  if (text.startsWith(':')) throw new Error('missing protocol scheme');
  return { scheme: '', rest: text };
}

function parseAuthority(authority: string): { host: string; user: string | undefined } {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const port = /^(?:\[[^\]]*\]|[^:]*)(:.*)?$/.exec(host)?.[1] ?? '';
  if (!/^(?::[0-9]*)?$/.test(port)) throw new Error(`invalid port ${goQuote(port)} after host`);
  if (host.startsWith('[') && !host.includes(']')) throw new Error("missing ']' in host");
  const bad = /[ "<>\\^`{|}]/.exec(host)?.[0];
  if (bad !== undefined) throw new Error(`invalid character ${goQuote(bad)} in host name`);
  unescaped(host);
  if (at < 0) return { host, user: undefined };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new Error('net/url: invalid userinfo');
  return { host, user };
}

function unescaped(text: string): string {
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text)?.[0];
  if (bad !== undefined) throw new Error(`invalid URL escape ${goQuote(bad)}`);
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString());
}

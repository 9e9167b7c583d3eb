// The fields of a request as they were decoded, and whether they make a request at all (RFC 9113, 8.2 and 8.3).
import { isBrokenTarget } from '#base/request-target.ts';

export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** Joined where they repeat. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly contentLength: number | undefined;
}

/** Undefined: malformed. Fields are names and values in turn. */
export function readRequestHead(fields: readonly string[]): RequestHead | undefined {
  const headers = Object.create(null) as Record<string, string | string[]>;
  let pseudoAllowed = true;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    const value = fields[i + 1] as string;
    const isPseudo = name.startsWith(':');
    if (isPseudo ? !pseudoAllowed || !pseudoNames.has(name) || name in headers : !isAllowed(name, value)) return undefined;
    if (forbiddenInValue.test(value)) return undefined;
    pseudoAllowed = isPseudo;
    if (!put(headers, name, value)) return undefined;
  }
  return headOf(headers, fields);
}

/** Nothing of them is used, but they have to be well-formed. */
export function areTrailers(fields: readonly string[]): boolean {
  return fields.every((name, i) => i % 2 === 1 || isAllowed(name, fields[i + 1] as string));
}

function headOf(headers: Record<string, string | string[]>, rawHeaders: readonly string[]): RequestHead | undefined {
  const { ':method': method, ':path': path, ':scheme': scheme } = headers as Record<string, string | undefined>;
  if (method === undefined || method === '') return undefined;
  const isConnect = method === 'CONNECT';
  if (isConnect ? path !== undefined || scheme !== undefined : !path || !scheme || isBrokenTarget(path)) return undefined;
  const length = headers['content-length'] as string | undefined;
  if (length !== undefined && !/^[0-9]{1,15}$/.test(length)) return undefined;
  return { method, target: path ?? '/', headers, rawHeaders, contentLength: length === undefined ? undefined : Number(length) };
}

const pseudoNames: ReadonlySet<string> = new Set([':method', ':path', ':scheme', ':authority']);
/** They speak of the connection, which is not theirs. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
/** Lower case, printable. */
const allowedName = /^[!-9;-@[-~]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const forbiddenInValue = /[\0\r\n]|^[ \t]|[ \t]$/;

function isAllowed(name: string, value: string): boolean {
  if (!allowedName.test(name) || connectionHeaders.has(name)) return false;
  return name !== 'te' || value === 'trailers';
}

/** False when the two contradict each other. */
function put(headers: Record<string, string | string[]>, name: string, value: string): boolean {
  const before = headers[name];
  if (before === undefined) headers[name] = name === 'set-cookie' ? [value] : value;
  else if (name === 'content-length') return before === value;
  else if (typeof before !== 'string') before.push(value);
  else if (!singleHeaders.has(name)) headers[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  return true;
}

/** Of these the first one counts, as in node. */
const singleHeaders: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'user-agent',
]);

/** Stands for one of which no more is known than that. */
export const tooLargeHead: RequestHead = { method: '', target: '', headers: {}, rawHeaders: [], contentLength: undefined };

// Answers with content that rarely changes, as Go's file server does: conditions and ranges.
import type { Exchange } from '#server/front/exchange.ts';

export interface Content {
  readonly contentType: string;
  /** Without quotes; none for content that has no tag. */
  readonly etag: string | undefined;
  readonly modified: Date;
  readonly body: Buffer;
  /** How `body` is encoded; none for plain bytes. */
  readonly encoding?: 'gzip';
}

export function sendContent(exchange: Exchange, { etag, modified, contentType, body, encoding }: Content): void {
  const tag = etag === undefined ? '' : `"${etag}"`;
  if (tag !== '') exchange.setHeader('etag', tag);
  const outcome = conditionOf(exchange, tag, modified);
  if (outcome !== 304) exchange.setHeader('last-modified', modified.toUTCString());
  if (outcome === 304) return exchange.send(304, '', '');
  if (outcome === 412) return exchange.send(412, contentType, '');
  const range = rangeOf(exchange, body.length);
  if (range === 'beyond') return sendBeyond(exchange, body.length);
  exchange.setHeader('accept-ranges', 'bytes');
  if (encoding !== undefined) exchange.setHeader('content-encoding', encoding);
  if (range === undefined) return exchange.send(200, contentType, body);
  exchange.setHeader('content-range', `bytes ${range.first}-${range.last}/${body.length}`);
  exchange.send(206, contentType, body.subarray(range.first, range.last + 1));
}

/** Is the content what the client expects, or has already? */
function conditionOf(exchange: Exchange, tag: string, modified: Date): 200 | 304 | 412 {
  const expected = headerOf(exchange, 'if-match');
  if (expected !== '' && !listsTag(expected, tag)) return 412;
  const known = headerOf(exchange, 'if-none-match');
  const reads = exchange.method === 'GET' || exchange.method === 'HEAD';
  if (known !== '') return listsTag(known, tag) ? (reads ? 304 : 412) : 200;
  // A time in whole seconds cannot tell two contents of one second apart: a client that has the first would never see the second.
  if (tag === '') return 200;
  const since = Date.parse(headerOf(exchange, 'if-modified-since'));
  return reads && Math.floor(modified.getTime() / 1000) * 1000 <= since ? 304 : 200;
}

function listsTag(header: string, tag: string): boolean {
  return header.split(',').some((each) => each.trim() === '*' || (tag !== '' && each.trim().replace(/^W\//, '') === tag));
}

/** The one range that is asked for. Several at once get the whole content, which is always allowed. */
function rangeOf(exchange: Exchange, size: number): { first: number; last: number } | 'beyond' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headerOf(exchange, 'range').replaceAll(' ', ''));
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') return { first: Math.max(0, size - Number(match[2])), last: size - 1 };
  const first = Number(match[1]);
  if (first >= size) return 'beyond';
  const last = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  return last < first ? undefined : { first, last };
}

function sendBeyond(exchange: Exchange, size: number): void {
  exchange.setHeader('content-range', `bytes */${size}`);
  exchange.setHeader('x-content-type-options', 'nosniff');
  exchange.send(416, 'text/plain; charset=utf-8', 'invalid range: failed to overlap\n');
}

function headerOf(exchange: Exchange, name: string): string {
  const value = exchange.headers[name];
  return typeof value === 'string' ? value : (value?.join(',') ?? '');
}

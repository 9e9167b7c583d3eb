// /openapi/v2 and /openapi/v3: which form of which document a request gets.
import { systemClock } from '#base/clock.ts';
import { gunzipped } from '#server/gzip.ts';
import type { ResourceCatalog } from '#resource/catalog.ts';
import { parseAccept } from '#server/answer/accept-header.ts';
import type { Exchange, Handler } from '#server/front/exchange.ts';
import { sendContent } from '#server/openapi/content.ts';
import { documentUrl, type Format, type PublishedDocument, PublishedDocuments, type PublishedOptions } from '#server/openapi/published.ts';
import type { OpenApiVocabulary } from '#server/openapi/vocabulary.ts';

export interface OpenApiHandlers {
  readonly matches: (path: string) => boolean;
  readonly handle: Handler;
}

export function openApiHandlers(catalog: ResourceCatalog, vocabulary: OpenApiVocabulary, options: Partial<PublishedOptions> = {}): OpenApiHandlers {
  const documents = new PublishedDocuments(catalog, vocabulary, { clock: systemClock, gate: () => true, ...options });
  const { clock = systemClock } = options;
  return {
    matches: (path) => path === '/openapi/v2' || path === '/openapi/v3' || path.startsWith('/openapi/v3/'),
    handle: async (exchange) => {
      if (exchange.path === '/openapi/v2') await sendSwagger(exchange, documents);
      else if (exchange.path === '/openapi/v3') await sendIndex(exchange, documents);
      else await sendDocument(exchange, documents, clock.now());
    },
  };
}

async function sendIndex(exchange: Exchange, documents: PublishedDocuments): Promise<void> {
  const { body, modified } = await documents.index();
  sendContent(exchange, { contentType: 'text/plain; charset=utf-8', etag: undefined, modified, body });
}

async function sendSwagger(exchange: Exchange, documents: PublishedDocuments): Promise<void> {
  exchange.setHeader('vary', 'Accept-Encoding, Accept');
  const format = formatFor(exchange, 'v2');
  if (format === undefined) exchange.send(406, '', '');
  else await sendForm(exchange, await documents.swagger(), format, 'v2');
}

async function sendDocument(exchange: Exchange, documents: PublishedDocuments, now: Date): Promise<void> {
  const name = exchange.path.slice('/openapi/v3/'.length);
  const document = await documents.document(name);
  if (document === undefined) return exchange.send(404, '', '');
  if ('serve' in document) return document.serve(exchange);
  if (acceptedBy(exchange).length === 0) return exchange.send(200, '', '');
  exchange.setHeader('vary', 'Accept, Accept-Encoding');
  const format = formatFor(exchange, 'v3');
  if (format === undefined) return exchange.send(406, '', '');
  const hash = exchange.query.get('hash') ?? '';
  if (hash !== '' && hash !== document.etag) return redirect(exchange, name, document, format);
  if (hash !== '') cacheForever(exchange, now);
  await sendForm(exchange, document, format, 'v3');
}

function redirect(exchange: Exchange, name: string, { etag }: PublishedDocument, format: Format): void {
  exchange.setHeader('etag', `"${etag}"`);
  exchange.setHeader('location', documentUrl(name, etag));
  exchange.send(301, contentTypes.v3[format], '');
}

/** The hash in the URL says that another content would have another URL. */
function cacheForever(exchange: Exchange, now: Date): void {
  const nextYear = new Date(now);
  nextYear.setUTCFullYear(now.getUTCFullYear() + 1);
  exchange.setHeader('cache-control', 'public, immutable');
  exchange.setHeader('expires', nextYear.toUTCString().replace('GMT', 'UTC'));
}

async function sendForm(exchange: Exchange, { etag, modified, compressed }: PublishedDocument, format: Format, version: 'v2' | 'v3'): Promise<void> {
  const bytes = await compressed(format);
  const content = { contentType: contentTypes[version][format], etag, modified };
  if (acceptsGzip(exchange)) sendContent(exchange, { ...content, body: bytes, encoding: 'gzip' });
  else sendContent(exchange, { ...content, body: await gunzipped(bytes) });
}

/** Parts of a document are parts of its plain form. */
function acceptsGzip({ headers, method }: Exchange): boolean {
  const accepted = headers['accept-encoding'];
  const offers = typeof accepted === 'string' && accepted.split(',').some((encoding) => encoding.trim().split(';')[0] === 'gzip');
  return offers && headers['range'] === undefined && method !== 'HEAD';
}

const contentTypes = {
  v2: { json: 'application/json', protobuf: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' },
  v3: { json: 'application/json', protobuf: 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf' },
} as const;

function formatFor(exchange: Exchange, version: 'v2' | 'v3'): Format | undefined {
  for (const { type, subtype } of acceptedBy(exchange)) {
    if (type !== 'application' && type !== '*') continue;
    if (subtype === 'json' || subtype === '*') return 'json';
    if (new RegExp(`^com\\.github\\.proto-openapi\\.spec\\.${version}[.@]v1\\.0\\+protobuf$`).test(subtype)) return 'protobuf';
  }
  return undefined;
}

function acceptedBy({ headers }: Exchange): ReturnType<typeof parseAccept> {
  const { accept } = headers;
  return parseAccept(typeof accept === 'string' && accept !== '' ? accept : '*/*');
}

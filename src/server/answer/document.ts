// Documents of the server itself: Status, discovery, version. Small, of fixed kinds, never streamed.
import type { StructSchema } from '#schema/build.ts';
import { escapedLikeGo } from '#schema/json/json-text.ts';
import { compressionThreshold } from '#server/answer/accepts-gzip.ts';
import type { Exchange } from '#server/front/exchange.ts';
import { mediaTypes, type Representation } from '#server/answer/negotiate.ts';

export interface Document {
  readonly code: number;
  readonly object: object;
  /** Says how the document looks in protobuf. */
  readonly schema: StructSchema;
}

export async function sendDocument(exchange: Exchange, { code, object, schema }: Document, representation: Representation): Promise<void> {
  const body = Buffer.from(await encodeDocument(object, schema, representation));
  if (body.length <= bufferedByGo || body.length > compressionThreshold) return exchange.send(code, mediaTypes[representation.format], body);
  const stream = exchange.stream(code, mediaTypes[representation.format]);
  await stream.write(body);
  stream.end();
}

/** Beyond this Go's server does not know the length of an answer when it sends the head, and sends the body in chunks. */
const bufferedByGo = 2048;

/** The encoders of other formats are loaded when a client asks for one. */
export async function encodeDocument(object: object, schema: StructSchema, representation: Representation): Promise<Buffer | string> {
  if (representation.format === 'json') return jsonText(object, representation.pretty);
  const { encodeTyped } = await import('#server/answer/answer.ts');
  return encodeTyped({ schema, object }, representation);
}

/** With the line feed that Go's encoder writes at the end of what is not indented. */
export function jsonText(document: object, pretty: boolean): string {
  return pretty ? escapedLikeGo(JSON.stringify(document, undefined, 2)) : `${escapedLikeGo(JSON.stringify(document))}\n`;
}

/** For documents that are always indented JSON, whatever is asked for. */
export function sendJson(exchange: Exchange, code: number, document: object): void {
  exchange.send(code, 'application/json', jsonText(document, true));
}

export function sendText(exchange: Exchange, code: number, text: string): void {
  exchange.send(code, 'text/plain; charset=utf-8', text);
}

/** The 404 of paths that the server does not have. */
export function sendPageNotFound(exchange: Exchange): void {
  exchange.setHeader('x-content-type-options', 'nosniff');
  sendText(exchange, 404, '404 page not found\n');
}

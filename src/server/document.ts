// Documents of the server itself: Status, discovery, version. Small, of fixed kinds, never streamed.
import type { StructSchema } from '#schema/build.ts';
import type { Exchange } from '#server/exchange.ts';
import { mediaTypes, type Representation } from '#server/negotiate.ts';

/** Writes a document in another format than JSON. `schema` says which protobuf message it is. */
export type DocumentEncoder = (document: object, schema: StructSchema | undefined) => Promise<Uint8Array | string>;

export interface DocumentEncoders {
  readonly yaml: DocumentEncoder;
  readonly protobuf: DocumentEncoder;
}

export interface AnswerOptions {
  readonly code: number;
  readonly document: object;
  readonly schema?: StructSchema | undefined;
  readonly representation: Representation;
  /** Instead of the plain media type of the representation. */
  readonly contentType?: string;
}

export async function answerDocument(exchange: Exchange, encoders: DocumentEncoders, options: AnswerOptions): Promise<void> {
  const { code, document, schema, representation } = options;
  const contentType = options.contentType ?? mediaTypes[representation.format];
  const body = representation.format === 'json' ? jsonText(document, representation.pretty) : await encoders[representation.format](document, schema);
  exchange.send(code, contentType, body);
}

/** With the line feed at its end that Go's encoder writes, unless indented. */
export function jsonText(document: object, pretty: boolean): string {
  return pretty ? JSON.stringify(document, undefined, 2) : `${JSON.stringify(document)}\n`;
}

/** For documents that are always JSON and always indented, whatever is asked for. */
export function answerJson(exchange: Exchange, code: number, document: object): void {
  exchange.send(code, 'application/json', JSON.stringify(document, undefined, 2));
}

// How a client reaches a server: over HTTPS or in process, without knowing which. transport-contract.ts says what holds for both.

export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  /** Names in lower case; several values are sent one by one. */
  readonly headers?: RequestHeaders;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Of an object in the answer only what names it (name, namespace, uid) and its resourceVersion will be read. A transport may bring all of it. */
  readonly brief?: boolean;
}

export interface TransportResponse {
  readonly code: number;
  /** Names in lower case; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it comes in; ends when the server ends it, throws when it breaks off or the signal aborts. Whoever stops reading ends the request. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** All of the body, where it came in one piece; then `chunks` need not be read. */
  readonly whole?: Buffer;
}

/** Resolves when the answer begins, whatever it says; rejects when there is none, or when the signal aborts. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export async function readAll(response: TransportResponse): Promise<Buffer> {
  if (response.whole !== undefined) return response.whole;
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The same request with more headers; those it has win. */
export function withHeaders(request: TransportRequest, headers: RequestHeaders): TransportRequest {
  return { ...request, headers: { ...headers, ...request.headers } };
}

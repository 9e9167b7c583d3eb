// How a client reaches a server: over HTTPS or in process, without knowing which.

export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface TransportResponse {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body as it comes in; ends when the server ends it. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export async function readAll(response: TransportResponse): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// What this server asks of an extension server by itself: documents, in the name of the aggregator, whole and of limited size.
import type { ExtensionServer } from '#aggregation/extension-server.ts';
import { userHeaders } from '#aggregation/forwarded-head.ts';
import type { User } from '#api/user.ts';
import { gunzipped } from '#server/gzip.ts';
import { OutgoingFailure } from '#base/outgoing/outgoing-failure.ts';

export interface AskOptions {
  readonly user: Pick<User, 'name' | 'uid' | 'groups'>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface ServerAnswer {
  readonly code: number;
  readonly contentType: string;
  /** With its quotes; '' without one. */
  readonly etag: string;
  readonly body: Buffer;
}

/** Documents of real extension servers are a few megabytes at most; what is larger is refused. */
const largestBody = 16 * 1024 * 1024;

/** Fails with an OutgoingFailure when there is no whole answer in time. */
export async function askServer(server: ExtensionServer, path: string, { user, headers, timeoutMs }: AskOptions): Promise<ServerAnswer> {
  const { host, port } = await server.address();
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const signal = AbortSignal.timeout(timeoutMs);
  const sent = { host: authority, 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip', ...headers, ...userHeaders(user) };
  const { response, socket } = await server.ask({ method: 'GET', path, headers: sent, signal });
  socket?.destroy();
  const received = await bodyOf(response);
  const isPacked = response.headers['content-encoding'] === 'gzip' && received.length > 0;
  return {
    code: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    etag: response.headers.etag ?? '',
    body: isPacked ? await gunzipped(received, { maxOutputLength: largestBody }) : received,
  };
}

async function bodyOf(response: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > largestBody) throw new OutgoingFailure(`the answer is larger than ${largestBody} bytes`);
    }
  } catch (error) {
    response.destroy();
    throw error instanceof OutgoingFailure ? error : new OutgoingFailure('unexpected EOF', { cause: error });
  }
  return Buffer.concat(chunks);
}

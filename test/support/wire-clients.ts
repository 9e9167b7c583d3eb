// Plain HTTP/1.1 and HTTP/2 clients for tests over real sockets.
import { once } from 'node:events';
import { Agent, request as http1Request } from 'node:https';
import { type ClientHttp2Session, connect } from 'node:http2';

export interface Wanted {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: Buffer | string;
}

export interface Received {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface WireClient extends AsyncDisposable {
  ask(wanted: Wanted): Promise<Received>;
}

export interface ClientTls {
  readonly ca: string;
  readonly cert?: string;
  readonly key?: string;
}

export function http1Client(port: number, tls: ClientTls): WireClient {
  const agent = new Agent({ keepAlive: true, ...tls });
  return {
    async ask({ method = 'GET', path = '/', headers = {}, body }) {
      const request = http1Request({ host: '127.0.0.1', port, method, path, headers, agent });
      request.end(body);
      const [response] = await once(request, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return { code: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
    },
  };
}

export interface Http2Client extends WireClient {
  readonly session: ClientHttp2Session;
}

export function http2Client(port: number, tls: ClientTls): Http2Client {
  const session = connect(`https://127.0.0.1:${port}`, { ...tls });
  session.on('error', () => {});
  return {
    session,
    async ask({ method = 'GET', path = '/', headers = {}, body }) {
      const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
      if (body !== undefined) stream.end(body);
      const [answer] = await once(stream, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      return { code: Number(answer[':status']), headers: answer, body: Buffer.concat(chunks) };
    },
    async [Symbol.asyncDispose]() {
      session.destroy();
    },
  };
}

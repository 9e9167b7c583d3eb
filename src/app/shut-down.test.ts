// Clients that would keep a server from stopping.
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { expect, test, vi } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

async function open(server: ServerInTest, text: string, protocol = 'http/1.1') {
  const socket = connectTls({ host: '127.0.0.1', port: server.server.port, rejectUnauthorized: false, ALPNProtocols: [protocol] });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.pause();
  socket.write(text);
  return socket;
}

test('a server stops although clients send half a body, take no answer, do not hang up or never finish a handshake', { timeout: 20_000 }, async () => {
  const server = await ServerInTest.start();
  const { requests } = server.server.api;
  const authorization = `Bearer ${server.tokenOf('admin')}`;
  const head = `host: a\r\nauthorization: ${authorization}\r\n`;
  const half = `${head}content-type: application/json\r\ncontent-length: 100\r\n`;
  await server.make('/api/v1/namespaces/default/configmaps', { metadata: { name: 'large' }, data: { text: 'x'.repeat(900_000) } });
  const sockets = await Promise.all([
    open(server, `POST ${reviews} HTTP/1.1\r\n${half}\r\n{`),
    open(server, `POST ${reviews} HTTP/1.1\r\n${half}connection: upgrade\r\nupgrade: h2c\r\n\r\n{`),
    open(server, `GET /api/v1/namespaces?watch=true HTTP/1.1\r\n${head}\r\n`),
    open(server, `GET /api/v1/namespaces?watch=true HTTP/1.1\r\n${head}connection: upgrade\r\nupgrade: websocket\r\n`),
    open(server, 'PRI * HT', 'h2'),
  ]);
  const session = connectHttp2(server.server.url, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } });
  session.on('error', () => {});
  const ask = (method: string, path: string) =>
    session.request({ ':method': method, ':path': path, authorization }, { endStream: method === 'GET' }).on('error', () => {});
  ask('POST', reviews).write('{');
  ask('GET', '/api/v1/namespaces/default/configmaps/large');
  ask('GET', '/api/v1/namespaces?watch=true');
  await vi.waitFor(() => expect([requests.running, requests.streams]).toEqual([4, 2]));
  await server.server.close();
  await vi.waitFor(() => expect([requests.running, requests.streams]).toEqual([0, 0]));
  for (const socket of sockets) socket.destroy();
  session.destroy();
});

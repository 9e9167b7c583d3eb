// Against node:http2 as the other side: an implementation of HTTP/2 that is not ours.
import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { Http2Client } from '#base/http2/client-connection.ts';
import { lastingBlock } from '#base/http2/hpack/encoder.ts';
import { systemTimers } from '#base/timers.ts';

test.each([
  ['', true],
  ['a body', false],
])('a request whose body is %j ends with its head: %s', async (body, endsWithHead) => {
  const server = createServer();
  const asked = new Promise<{ readonly endsWithHead: boolean; readonly body: string }>((resolve) => {
    server.on('stream', async (stream: ServerHttp2Stream) => {
      const ended = stream.endAfterHeaders;
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      stream.respond({ ':status': 204 }, { endStream: true });
      resolve({ endsWithHead: ended, body: Buffer.concat(pieces).toString() });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const fields: (readonly [name: string, value: string])[] = [];
  await new Promise<void>((resolve, reject) => {
    const client = new Http2Client(socket, {
      timers: systemTimers,
      onClose: (why) => reject(new Error(why)),
      onReady: () => {
        const head = lastingBlock([
          [':method', 'GET'],
          [':scheme', 'http'],
          [':authority', 'localhost'],
          [':path', '/'],
        ]);
        client.request(head, Buffer.from(body), true, { field: (name, value) => fields.push([name, value]), data: () => {}, closed: () => resolve() });
      },
    });
  });
  expect(await asked).toEqual({ endsWithHead, body });
  expect(fields).toContainEqual([':status', '204']);
  socket.destroy();
  server.close();
});

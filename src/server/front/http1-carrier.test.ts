import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { Slabs, slabBytes } from '#base/memory/short-lived.ts';
import { Http1Carrier } from '#server/front/http1-carrier.ts';

/** What node keeps of an answer that it cannot write yet. */
type Waiting = ServerResponse & { readonly outputData: readonly { readonly data: unknown }[] };

test('an answer that waits behind another one is parted from its slab', async () => {
  const connection = { remoteAddress: '', clientCertificates: [], answered: () => {} };
  const answers: Waiting[] = [];
  const send = (response: ServerResponse, text: string) =>
    new Http1Carrier(response.req, response, connection).send(200, { 'content-length': `${text.length}` }, new Slabs().copy(Buffer.from(text)));
  const server = createServer((_request, response) => {
    answers.push(response as Waiting);
    if (answers.length < 2) return;
    const [first, second] = answers as [Waiting, Waiting];
    send(second, 'second');
    const kept = second.outputData.map(({ data }) => data).filter((data) => data instanceof Uint8Array);
    expect(kept.map((data) => data.buffer.byteLength === slabBytes)).toEqual([false]);
    send(first, 'first');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n');
  const got: Buffer[] = [];
  for await (const piece of client) {
    got.push(piece as Buffer);
    if (Buffer.concat(got).includes('second')) break;
  }
  expect(Buffer.concat(got).toString()).toMatch(/first[^]*second$/);
  server.close();
});

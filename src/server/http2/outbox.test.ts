// That one buffer serves all connections rests on what node's TLS sockets do with it; so this is tested on real ones.
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:http2';
import { expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { listen } from '#server/front/listen.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

const [clients, streamsEach, piecesEach] = [12, 4, 60];

function digest(pieces: Iterable<Uint8Array>): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

test('what many connections send at the same time, to readers that lag behind, arrives unmixed', async () => {
  const authority = new TestAuthority();
  const sent = new Map<string, string>();
  const listener = await listen(
    async (exchange) => {
      const pieces = Array.from({ length: piecesEach }, () => randomBytes(1 + Math.floor(Math.random() * 30_000)));
      sent.set(exchange.path, digest(pieces));
      const answer = exchange.stream(200, 'application/octet-stream');
      for (const piece of pieces) await answer.write(piece);
      answer.end();
    },
    { host: '127.0.0.1', port: 0, tls: authority.issue({ commonName: 'server' }, { usage: 'server', names: ['127.0.0.1'] }), log: silentLog },
  );
  const received = await Promise.all(
    Array.from({ length: clients }, async (_, c): Promise<[string, string][]> => {
      const session = connect(`https://127.0.0.1:${listener.port}`, { ca: authority.cert });
      const answers = await Promise.all(
        Array.from({ length: streamsEach }, (_unused, s) => digestOf(session.request({ ':path': `/${c}/${s}` }), `/${c}/${s}`)),
      );
      session.destroy();
      return answers;
    }),
  );
  expect(new Map(received.flat())).toEqual(sent);
  listener.destroy();
});

async function digestOf(stream: AsyncIterable<Uint8Array>, path: string): Promise<[string, string]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) {
    pieces.push(piece);
    // Now and then a reader looks away, so that its connection backs up.
    if (pieces.length % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return [path, digest(pieces)];
}

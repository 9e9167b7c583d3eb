import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import type { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { nextTurn } from '#base/next-turn.ts';
import { readAll } from '#client/transport.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { listen } from '#server/front/listen.ts';
import { streamWatch } from '#server/answer/stream-watch.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

type Renderer = Parameters<typeof streamWatch>[1];
type Watch = Parameters<typeof streamWatch>[2];
type Events = Parameters<Parameters<Watch['follow']>[0]>[0];

const authority = new TestAuthority();
const output = { format: 'json', pretty: false, stream: false, profile: '' } as const;
const eventBytes = 100_000;
const eventCount = 300;
const events = Array.from({ length: eventCount }, () => ({
  type: 'ADDED',
  item: { json: Buffer.alloc(eventBytes, 'x') },
  shared: new Map(),
})) as unknown as Events;

/** A server of one watch that has all its events at once. */
async function serveWatch() {
  const seen = { handedOver: 0, goesOn: undefined as boolean | undefined };
  const definition = {} as Watch['definition'];
  const renderer = { catalog: { hubOf: () => definition } } as unknown as Renderer;
  const follow: Watch['follow'] = async (take) => {
    seen.goesOn = await take(events);
  };
  const listener = await listen(
    async (exchange) => {
      exchange.observe({ chunkWritten: (chunk) => (seen.handedOver += chunk.length) });
      await streamWatch(exchange, renderer, { definition, timeoutSeconds: 60, follow }, output, { minRequestTimeoutSeconds: 60, random: () => 0 });
    },
    { host: '127.0.0.1', port: 0, tls: authority.issue({ commonName: 'server' }, { usage: 'server', names: ['127.0.0.1'] }), log: silentLog },
  );
  return { listener, seen };
}

interface Answer {
  readonly body: Readable;
  leave(): void;
}

async function overHttp2(port: number): Promise<Answer> {
  const session = connect(`https://127.0.0.1:${port}`, { ca: authority.cert });
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  return { body: stream, leave: () => session.destroy() };
}

async function overHttp1(port: number): Promise<Answer> {
  const asked = request({ host: '127.0.0.1', port, ca: authority.cert, agent: false }).end();
  const [body] = (await once(asked, 'response')) as [Readable];
  return { body, leave: () => asked.destroy() };
}

/** Until the client's and the kernel's buffers are full and nothing more is taken. */
async function untilStuck(seen: { readonly handedOver: number }): Promise<number> {
  for (let before = -1, quiet = 0; quiet < 200; quiet = seen.handedOver === before ? quiet + 1 : 0) {
    before = seen.handedOver;
    await nextTurn();
  }
  return seen.handedOver;
}

describe.each([
  ['HTTP/2', overHttp2],
  ['HTTP/1.1', overHttp1],
])('a watch over %s', (_protocol, open) => {
  test('hands a client that does not read only a little of what is due, and the rest when it reads', async () => {
    const { listener, seen } = await serveWatch();
    const { body, leave } = await open(listener.port);
    expect(await untilStuck(seen)).toBeLessThan((eventCount * eventBytes) / 2);
    let received = 0;
    for await (const chunk of body) received += (chunk as Buffer).length;
    expect(received).toBe(seen.handedOver);
    expect(received).toBeGreaterThan(eventCount * eventBytes);
    expect(seen.goesOn).toBe(true);
    leave();
    listener.destroy();
  });

  test('ends when a client leaves that it waits for', async () => {
    const { listener, seen } = await serveWatch();
    const { body, leave } = await open(listener.port);
    body.on('error', () => {});
    await untilStuck(seen);
    leave();
    while (seen.goesOn === undefined) await nextTurn();
    expect(seen.goesOn).toBe(false);
    listener.destroy();
  });
});

test('others have their turn between large objects of which little is told', async () => {
  const turnsOfEvents: number[] = [];
  let turn = 0;
  const bytesOf = () => {
    turnsOfEvents.push(turn);
    return Buffer.from('{}');
  };
  const definition = {} as Watch['definition'];
  const renderer = { catalog: { hubOf: () => definition }, forms: { of: () => ({ bytesOf }) } } as unknown as Renderer;
  const large = Array.from({ length: 20 }, () => ({ type: 'ADDED', item: { byteLength: 300_000 }, shared: new Map() })) as unknown as Events;
  const follow: Watch['follow'] = async (take) => void (await take(large));
  const metadataOnly = { ...output, as: { kind: 'PartialObjectMetadata', group: 'meta.k8s.io', version: 'v1' } } as const;
  const limits = { minRequestTimeoutSeconds: 60, random: () => 0 };
  const answering = callInProcess((exchange) => streamWatch(exchange, renderer, { definition, timeoutSeconds: 60, follow }, metadataOnly, limits), {
    method: 'GET',
    path: '/',
  });
  for (; turnsOfEvents.length < large.length; turn++) await nextTurn();
  expect((await readAll(await answering)).toString()).toBe('{"type":"ADDED","object":{}}\n'.repeat(large.length));
  // The first one comes in the turn of the request.
  expect(new Set(turnsOfEvents).size).toBeGreaterThanOrEqual(large.length - 1);
});

// Clients that stop in the middle: of their body, or of reading the answer. Handlers, seats and memory must come back.
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { alwaysAllow } from '#auth/authorizer.ts';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { FlowController } from '#server/flow-control/flow-controller.ts';
import { limitFlows } from '#server/flow-control/limit-flows.ts';
import { InFlight, limitInFlight } from '#server/flow-control/limit-in-flight.ts';
import type { Handler } from '#server/front/exchange.ts';
import { listen, type Listener } from '#server/front/listen.ts';
import { RequestCount } from '#server/middleware/count-requests.ts';
import { buildPipeline } from '#server/pipeline.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

const authority = new TestAuthority();
const tls = authority.issue({ commonName: 's' }, { usage: 'server', names: ['127.0.0.1'] });
const controller = new FlowController({ seats: 100, clock: systemClock, timers: systemTimers, maxWaitMs: 1000 });
const requests = new RequestCount();
const large = Buffer.alloc(16 * 1024 * 1024, 'x');
/** How the handlers of the last requests ended, and how many still run. */
const handlers = { running: 0, ended: 0 };
let listener: Listener;

const handle: Handler = async (exchange) => {
  handlers.running++;
  try {
    if (exchange.method === 'POST') await exchange.readBody(3 * 1024 * 1024);
    exchange.send(200, 'text/plain', exchange.path === '/small' ? 'small' : large);
  } finally {
    handlers.running--;
    handlers.ended++;
  }
};

beforeAll(async () => {
  const services = { log: silentLog, statusSchema: Status, requests, requestTimeoutMs: 60_000, flowControl: limitFlows(controller, () => undefined) };
  const handler = buildPipeline({ ...services, authenticator: async () => ({ name: 'a', groups: [] }), authorizer: alwaysAllow }, handle);
  listener = await listen(handler, { host: '127.0.0.1', port: 0, tls, log: silentLog });
});

afterAll(() => listener.destroy());

function seats(): number {
  return [...controller.levels].reduce((sum, { seatsInUse }) => sum + seatsInUse, 0);
}

async function socketFor(protocol: 'http/1.1' | 'h2'): Promise<TLSSocket> {
  const socket = connectTls({ host: '127.0.0.1', port: listener.port, ca: authority.cert, ALPNProtocols: [protocol] });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

const halfBody = 'host: a\r\ncontent-length: 100\r\n\r\n{"half":';

describe('a body that never ends', () => {
  test.each(['/x?timeout=50ms', '/small?timeout=50ms'])('over HTTP/1.1 gets its 504 for %s, and its handler and seat come back', async (path) => {
    const before = handlers.ended;
    const socket = await socketFor('http/1.1');
    socket.write(`POST ${path} HTTP/1.1\r\n${halfBody}`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 504 /);
    await vi.waitFor(() => expect([handlers.running, handlers.ended - before, seats()]).toEqual([0, 1, 0]));
    socket.destroy();
  });

  test('over HTTP/2 gets its 504, and its handler and seat come back', async () => {
    const before = handlers.ended;
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert });
    const stream = session.request({ ':method': 'POST', ':path': '/x?timeout=50ms' }, { endStream: false });
    stream.write('{"half":');
    const [answer] = await once(stream, 'response');
    expect(answer[':status']).toBe(504);
    await vi.waitFor(() => expect([handlers.running, handlers.ended - before, seats()]).toEqual([0, 1, 0]));
    session.destroy();
  });

  test('over HTTP/2 is given up also when the client takes no answer', async () => {
    const before = handlers.ended;
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert, settings: { initialWindowSize: 0 } });
    const stream = session.request({ ':method': 'POST', ':path': '/x?timeout=50ms' }, { endStream: false });
    stream.write('{"half":');
    await once(stream, 'response');
    await vi.waitFor(() => expect([handlers.running, handlers.ended - before]).toEqual([0, 1]));
    session.destroy();
    await vi.waitFor(() => expect(seats()).toBe(0));
  });

  test.each(['http/1.1', 'h2'] as const)('over %s ends with its connection', async (protocol) => {
    const before = handlers.ended;
    if (protocol === 'h2') {
      const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert });
      const stream = session.request({ ':method': 'POST', ':path': '/x' }, { endStream: false }).on('error', () => {});
      stream.write('{"half":');
      await vi.waitFor(() => expect(handlers.running).toBe(1));
      session.destroy();
    } else {
      const socket = await socketFor('http/1.1');
      socket.write(`POST /x HTTP/1.1\r\n${halfBody}`);
      await vi.waitFor(() => expect(handlers.running).toBe(1));
      socket.destroy();
    }
    await vi.waitFor(() => expect([handlers.running, handlers.ended - before, seats()]).toEqual([0, 1, 0]));
  });
});

describe('an answer that the client does not take', () => {
  const timeout = '/large?timeout=300ms';

  async function unread(protocol: 'http/1.1' | 'h2', path: string): Promise<() => void> {
    if (protocol === 'http/1.1') {
      const socket = await socketFor('http/1.1');
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      return () => socket.destroy();
    }
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: authority.cert, settings: { initialWindowSize: 0 } });
    session.request({ ':path': path }).on('error', () => {});
    return () => session.destroy();
  }

  test.each(['http/1.1', 'h2'] as const)('over %s keeps its seat while it waits, and no longer than its deadline', async (protocol) => {
    const before = handlers.ended;
    const leave = await unread(protocol, timeout);
    await vi.waitFor(() => expect(handlers.ended - before).toBe(1));
    expect(seats()).toBe(1);
    await vi.waitFor(() => expect(seats()).toBe(0));
    leave();
  });

  test.each(['http/1.1', 'h2'] as const)('over %s gives its seat back when the client leaves', async (protocol) => {
    const before = handlers.ended;
    const leave = await unread(protocol, '/large');
    await vi.waitFor(() => expect(handlers.ended - before).toBe(1));
    expect(seats()).toBe(1);
    leave();
    await vi.waitFor(() => expect(seats()).toBe(0));
  });

  test('counts as in flight in the simple mode too', async () => {
    const inFlight = new InFlight();
    const simple = limitInFlight({ reads: 10, writes: 10 }, inFlight);
    const services = { log: silentLog, statusSchema: Status, requests: new RequestCount(), requestTimeoutMs: 60_000, flowControl: simple };
    const handler = buildPipeline({ ...services, authenticator: async () => ({ name: 'a', groups: [] }), authorizer: alwaysAllow }, handle);
    const other = await listen(handler, { host: '127.0.0.1', port: 0, tls, log: silentLog });
    const session = connectHttp2(`https://127.0.0.1:${other.port}`, { ca: authority.cert, settings: { initialWindowSize: 0 } });
    const stream = session.request({ ':path': '/api/v1/namespaces/default' }).on('error', () => {});
    await once(stream, 'response');
    expect(inFlight.reads).toBe(1);
    session.destroy();
    await vi.waitFor(() => expect(inFlight.reads).toBe(0));
    other.destroy();
  });
});

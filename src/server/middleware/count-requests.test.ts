import { expect, test, vi } from 'vitest';
import { silentLog } from '#base/log.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import type { Handler } from '#server/front/exchange.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { answerErrors } from '#server/middleware/answer-errors.ts';
import { countRequests, RequestCount } from '#server/middleware/count-requests.ts';
import { resolveRequestInfo } from '#server/middleware/resolve-request-info.ts';
import { ManualTimers } from '../../../test/support/manual-timers.ts';

function serverWith(handler: Handler) {
  const count = new RequestCount();
  const pipeline = answerErrors(silentLog, Status)(resolveRequestInfo()(countRequests(count)(handler)));
  return { count, ask: (path: string) => callInProcess(pipeline, { method: 'GET', path }) };
}

const ok: Handler = async (exchange) => exchange.send(200, 'text/plain', 'ok');

/** Answers when told to. */
function slowHandler() {
  const answers: (() => void)[] = [];
  const handler: Handler = (exchange) =>
    new Promise((resolve) => {
      answers.push(() => {
        exchange.send(200, 'text/plain', 'ok');
        resolve();
      });
    });
  return { handler, answers };
}

const endless: Handler = async (exchange) => {
  const stream = exchange.stream(200, 'application/json');
  await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
  stream.end();
};

test('a server that will stop soon still serves as ever', async () => {
  const { count, ask } = serverWith(ok);
  count.announceStop();
  const { code, headers } = await ask('/api/v1/pods');
  expect([code, headers['connection']]).toEqual([200, undefined]);
  expect(count.stopping).toBe(true);
});

test('while it drains, new requests are told to go elsewhere, and their connections end', async () => {
  const { count, ask } = serverWith(ok);
  await count.drain();
  const { code, headers } = await ask('/api/v1/pods');
  expect({ code, retry: headers['retry-after'], connection: headers['connection'] }).toEqual({ code: 503, retry: '1', connection: 'close' });
});

test('or asked to come back later', async () => {
  const { count, ask } = serverWith(ok);
  await count.drain('later');
  const { code, headers } = await ask('/apis');
  expect({ code, retry: headers['retry-after'], connection: headers['connection'] }).toEqual({ code: 429, retry: '5', connection: 'close' });
});

test.each(['/readyz', '/livez/ping', '/healthz', '/metrics'])('%s is answered to the end', async (path) => {
  const { count, ask } = serverWith(ok);
  await count.drain();
  expect((await ask(path)).code).toBe(200);
});

test('draining ends when the last running request has been answered, on a connection that ends', async () => {
  const { handler, answers } = slowHandler();
  const { count, ask } = serverWith(handler);
  const answered = ask('/api/v1/pods');
  let drained = false;
  const draining = count.drain().then(() => {
    drained = true;
  });
  await Promise.resolve();
  expect(drained).toBe(false);
  for (const answer of answers) answer();
  await draining;
  expect((await answered).headers['connection']).toBe('close');
});

test('a request that does not end in time is cut short, and draining ends with it', async () => {
  let reason: unknown;
  const { count, ask } = serverWith((exchange) => {
    const { signal } = exchange;
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        resolve();
      });
    });
  });
  const answered = ask('/api/v1/pods');
  const timers = new ManualTimers();
  const draining = count.drain('unavailable', 3000, timers);
  timers.advance(2999);
  expect(reason).toBeUndefined();
  timers.advance(1);
  await draining;
  expect([(await answered).code, (reason as Error).name, count.running]).toEqual([503, 'AbortError', 0]);
});

test.each(['/api/v1/pods?watch=1', '/api/v1/namespaces/a/pods/b/log?follow=true', '/api/v1/namespaces/a/pods/b/exec', '/api/v1/nodes/n/proxy/x'])(
  'the stream of %s is counted, and ended when the server stops',
  async (path) => {
    const { count, ask } = serverWith(endless);
    const { chunks } = await ask(path);
    expect([count.running, count.streams]).toEqual([0, 1]);
    count.endAllStreams();
    await drainChunks(chunks);
    await vi.waitFor(() => expect(count.streams).toBe(0));
  },
);

test('watches are not waited for', async () => {
  const { count, ask } = serverWith(endless);
  await ask('/api/v1/pods?watch=1');
  await count.drain();
  expect((await ask('/api/v1/pods?watch=1')).code).toBe(503);
});

test('watches are ended a few at a time, at least 200 a second', async () => {
  const { count, ask } = serverWith(endless);
  let ended = 0;
  for (let i = 0; i < 35; i++) {
    const { chunks } = await ask('/api/v1/pods?watch=1');
    void drainChunks(chunks).then(() => {
      ended += 1;
    });
  }
  const timers = new ManualTimers();
  const done = count.endStreams(1000, timers);
  const seen: number[] = [];
  for (let tick = 0; tick < 4; tick++) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(ended);
    timers.advance(50);
  }
  await done;
  expect(seen).toEqual([10, 20, 30, 35]);
});

async function drainChunks(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks) {
    // nothing is expected
  }
}

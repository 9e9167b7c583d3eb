import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';
import { readAll } from '#client/transport.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { streamWatch } from '#server/answer/stream-watch.ts';

type Renderer = Parameters<typeof streamWatch>[1];
type Watch = Parameters<typeof streamWatch>[2];

/** How long a watch may last that asks for `timeoutSeconds`, when the dice say `random`. */
async function durationOf(timeoutSeconds: number | undefined, random: number): Promise<number> {
  let lasts = 0;
  const follow: Watch['follow'] = async (_take, _signal, timeoutMs) => {
    lasts = timeoutMs;
  };
  const watch = { timeoutSeconds, follow, definition: {} } as Watch;
  const output = { format: 'json', pretty: false, stream: false, profile: '' } as const;
  const limits = { minRequestTimeoutSeconds: 1800, random: () => random };
  const answer = await callInProcess((exchange) => streamWatch(exchange, {} as Renderer, watch, output, limits), { method: 'GET', path: '/' });
  await readAll(answer);
  return lasts / 1000;
}

describe('a watch', () => {
  test.each([
    [undefined, 0, 1800],
    [undefined, 0.5, 2700],
    [undefined, 0.999, 3599],
    [0, 0.25, 2250],
  ])('without a wish of its own (%s) lasts between one and two times --min-request-timeout', async (asked, random, seconds) => {
    expect(Math.ceil(await durationOf(asked, random))).toBe(seconds);
  });

  test('lasts as long as it asks for, even if that is shorter', async () => {
    expect(await durationOf(7, 0.9)).toBe(7);
  });
});

describe('a server with a short --min-request-timeout', () => {
  let server: ServerInTest;
  beforeAll(async () => {
    server = await ServerInTest.start({ flags: ['--min-request-timeout=1'] });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('ends watches by itself, cleanly', async () => {
    const { transport } = server.server.api;
    const answer = await transport({ method: 'GET', path: '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault' });
    const lines = (await readAll(answer)).toString().split('\n');
    expect(lines.map((line) => line.slice(0, 15))).toEqual(['{"type":"ADDED"', '']);
  });
});

test('a server that stops ends its watches, each with a whole last event', async () => {
  const server = await ServerInTest.start();
  const answers = await Promise.all(Array.from({ length: 5 }, () => open(server)));
  const bodies = answers.map(async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  });
  await server[Symbol.asyncDispose]();
  for (const body of await Promise.all(bodies)) expect(body).toMatch(/^\{"type":"ADDED".*\}\n$/);
});

async function open(server: ServerInTest) {
  const { request } = await import('node:https');
  const path = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault';
  const headers = { authorization: `Bearer ${server.tokenOf('admin')}` };
  const asked = request({ host: '127.0.0.1', port: server.server.port, ca: server.server.certificates.servingCa, path, headers, agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

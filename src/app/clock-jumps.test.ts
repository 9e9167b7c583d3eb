// The clock of the machine is set: what was acknowledged stays, and the server goes on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseOptions } from '#app/flags/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { silentLog } from '#base/log.ts';
import { http1Client } from '../../test/support/wire-clients.ts';

vi.setConfig({ testTimeout: 60_000 });

const hour = 3600 * 1000;
let dir: string;
let now: number;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-clock-'));
  now = Date.now();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start(): Promise<RunningServer> {
  const argv = [`--data-dir=${dir}`, '--bind-address=127.0.0.1', '--secure-port=0', '--controllers='];
  return runServer(parseOptions(argv, { homeDir: '/nowhere' }), silentLog, { now: () => new Date(now) });
}

function client({ port, certificates }: RunningServer) {
  const wire = http1Client(port, { ca: certificates.servingCa ?? '', ...certificates.admin });
  const headers = { 'content-type': 'application/json' };
  const path = '/api/v1/namespaces/default/configmaps';
  return {
    create: async (name: string) => (await wire.ask({ method: 'POST', path, headers, body: JSON.stringify({ metadata: { name } }) })).code,
    names: async () => {
      const { items } = JSON.parse((await wire.ask({ path })).body.toString()) as { items: { metadata: { name: string; resourceVersion: string } }[] };
      return items.map(({ metadata }) => metadata.name);
    },
    ready: async () => (await wire.ask({ path: '/readyz' })).code,
    end: () => wire[Symbol.asyncDispose](),
  };
}

test.each([
  ['back by a day', -24 * hour],
  ['ahead by a month', 30 * 24 * hour],
])('%s while the server runs', async (_, jump) => {
  const server = await start();
  const { create, names, ready, end } = client(server);
  expect(await create('before')).toBe(201);
  now += jump;
  expect(await create('after')).toBe(201);
  expect(await names()).toEqual(['after', 'before']);
  expect(await ready()).toBe(200);
  await end();
  await server.close();
});

test('back by half an hour while the server is down', async () => {
  const first = await start();
  const before = client(first);
  expect(await before.create('kept')).toBe(201);
  await before.end();
  await first.close();
  now -= hour / 2;
  const second = await start();
  const after = client(second);
  expect(await after.names()).toEqual(['kept']);
  expect(await after.create('new')).toBe(201);
  expect(await after.names()).toEqual(['kept', 'new']);
  await after.end();
  await second.close();
});

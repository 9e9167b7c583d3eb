import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseOptions } from '#app/flags/options.ts';
import { systemClock } from '#base/clock.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { capturedLog } from '../../test/support/secrets.ts';
import { http1Client, http2Client, type WireClient } from '../../test/support/wire-clients.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-server-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start(...flags: string[]): Promise<RunningServer> {
  const argv = [`--data-dir=${dir}`, '--bind-address=127.0.0.1', '--secure-port=0', '--controllers=', ...flags];
  return runServer(parseOptions(argv, { homeDir: '/nowhere' }), capturedLog(), systemClock, { value: 10 });
}

function adminOf({ port, certificates }: RunningServer, connect: typeof http1Client = http2Client): WireClient {
  return connect(port, { ca: certificates.servingCa ?? '', ...certificates.admin });
}

const configMap = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kept' }, data: { k: 'v' } });

test('a first start serves the administrator over both protocols, and refuses who shows nothing', async () => {
  const server = await start('--memory');
  await using http2 = adminOf(server);
  await using http1 = adminOf(server, http1Client);
  await using nobody = http1Client(server.port, { ca: server.certificates.servingCa ?? '' });
  for (const client of [http2, http1]) expect((await client.ask({ path: '/api/v1/namespaces/default' })).code).toBe(200);
  expect((await nobody.ask({ path: '/api/v1/namespaces/default' })).code).toBe(403);
  expect((await nobody.ask({ path: '/readyz' })).body.toString()).toBe('ok');
  expect(statSync(server.kubeconfig ?? '').mode & 0o777).toBe(0o600);
  await server.close();
});

test('a second server on the directory is refused and has written nothing', async () => {
  const first = await start('--advertise-address=10.1.2.3');
  const pki = join(dir, 'pki');
  const files = () => Object.fromEntries(readdirSync(pki).map((file) => [file, readFileSync(join(pki, file), 'utf8')]));
  const before = files();
  await expect(start('--advertise-address=10.9.9.9')).rejects.toThrow('is in use by another server');
  expect(files()).toEqual(before);
  await first.close();
});

test('a server with --memory beside it makes no certificate that leaves out its names', async () => {
  const first = await start('--advertise-address=10.1.2.3');
  const second = await start('--memory', '--advertise-address=10.9.9.9');
  const certificate = new X509Certificate(readFileSync(join(dir, 'pki/apiserver.crt')));
  for (const address of ['10.1.2.3', '10.9.9.9', '::1']) expect(certificate.checkIP(address)).toBe(address);
  await second.close();
  await first.close();
});

test('what was written is there after a restart', async () => {
  const first = await start();
  await using before = adminOf(first);
  const headers = { 'content-type': 'application/json' };
  expect((await before.ask({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', headers, body: configMap })).code).toBe(201);
  await first.close();
  const second = await start();
  await using after = adminOf(second);
  expect(JSON.parse((await after.ask({ path: '/api/v1/namespaces/default/configmaps/kept' })).body.toString())).toMatchObject({ data: { k: 'v' } });
  await second.close();
});

test.each([['--memory'], []])('history is compacted at every interval, and a paged list that lasted longer can go on without it %s', async (...flags) => {
  const server = await start('--etcd-compaction-interval=50ms', ...flags);
  await using client = adminOf(server);
  const list = async (query: string) => JSON.parse((await client.ask({ path: `/api/v1/namespaces?limit=1&${query}` })).body.toString());
  const { metadata } = await list('');
  const soon = { timeout: 20_000, interval: 50 };
  // History is kept up to the last write of an interval ago: something has to be written.
  const headers = { 'content-type': 'application/json' };
  const touch = () =>
    client.ask({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', headers, body: configMap.replace('"name":"kept"', '"generateName":"touch-"') });
  await vi.waitFor(async () => {
    await touch();
    expect(await list(`continue=${metadata.continue}`)).toMatchObject({ code: 410, reason: 'Expired' });
  }, soon);
  const refusal = await list(`continue=${metadata.continue}`);
  expect(refusal.message).toContain('The provided continue parameter is too old to display a consistent list result.');
  expect((await list(`continue=${refusal.metadata.continue}`)).items).toHaveLength(1);
  expect(await list(`resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`)).toMatchObject({ code: 410 });
  await server.close();
});

test('stopping ends watches and closes the port', async () => {
  const server = await start('--memory');
  const client = http2Client(server.port, { ca: server.certificates.servingCa ?? '', ...server.certificates.admin });
  const watch = client.session.request({ ':path': '/api/v1/namespaces?watch=1' });
  watch.on('error', () => {}).resume();
  await once(watch, 'response');
  const ended = once(watch, 'close');
  await server.close();
  await ended;
  await expect(http1Client(server.port, { ca: '' }).ask({})).rejects.toThrow('ECONNREFUSED');
});

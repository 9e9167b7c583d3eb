// /readyz tells the truth: not ready before everything counts that is stored, and not ready from the moment it will stop.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../test/support/server-under-test.mjs';
import { ServerInTest } from '../../test/support/server-in-test.ts';
import { http1Client } from '../../test/support/wire-clients.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

test('the first yes of a start comes when stored rights count and the first objects are there, and only noes before it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'binnacle-readiness-'));
  const port = await freePort();
  const start = () => ServerInTest.start({ flags: ['--memory=false', `--data-dir=${data}`, `--secure-port=${port}`] });
  const before = await start();
  await before.make(`${rbac}/clusterroles`, { metadata: { name: 'all' }, rules: [{ verbs: ['list'], apiGroups: [''], resources: ['nodes'] }] });
  for (let i = 0; i < 50; i++) {
    const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name: 'late' }];
    await before.make(`${rbac}/clusterrolebindings`, { metadata: { name: `b-${i}` }, roleRef: { apiGroup, kind: 'ClusterRole', name: 'all' }, subjects });
  }
  await before.make('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'late' } });
  const { token } = (await before.make('/api/v1/namespaces/default/serviceaccounts/late/token', { spec: {} })).status;
  const ca = before.server.certificates.servingCa ?? '';
  await before[Symbol.asyncDispose]();

  const starting = start();
  await using client = http1Client(port, { ca });
  const noes: string[] = [];
  for (;;) {
    const answer = await client.ask({ path: '/readyz' }).catch(() => undefined);
    if (answer?.code === 200) break;
    // Before the rights of the anonymous are known, nobody may even ask.
    if (answer !== undefined) noes.push(`${answer.code} ${answer.body.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const ask = async (path: string) => (await client.ask({ path, headers: { authorization: `Bearer ${token}` } })).code;
  expect(await ask('/api/v1/nodes')).toBe(200);
  expect((await client.ask({ path: '/readyz?verbose' })).body.toString()).not.toContain('[-]');
  for (const no of noes) expect(no).toMatch(/^500 [^]*\[-\][^]*readyz check failed|^40[13] |^429 /);
  const server = await starting;
  expect((await server.ask('GET', '/api/v1/namespaces/kube-system')).code).toBe(200);
  await server[Symbol.asyncDispose]();
  rmSync(data, { recursive: true });
});

test('a server that will stop says so first, and serves on until its delay is over', async () => {
  const server = await ServerInTest.start({ flags: ['--shutdown-delay-duration=3s'] });
  expect((await server.ask('GET', '/readyz')).code).toBe(200);
  const closed = server.server.close();
  await expect.poll(async () => (await server.ask('GET', '/readyz')).code, { timeout: 2_500, interval: 20 }).toBe(500);
  expect((await server.ask('GET', '/readyz')).text).toContain('[-]shutdown failed: reason withheld\n');
  expect((await server.ask('GET', '/livez')).code).toBe(200);
  expect((await server.ask('GET', '/api/v1/namespaces/default')).code).toBe(200);
  await closed;
  await expect(server.ask('GET', '/readyz')).rejects.toThrow();
  rmSync(server.dir, { recursive: true, force: true });
});

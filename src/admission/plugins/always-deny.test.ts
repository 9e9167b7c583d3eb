import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseOptions } from '#app/flags/options.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { silentLog } from '#base/log.ts';

const alwaysDeny = '--enable-admission-plugins=AlwaysDeny';
const configMaps = { group: '', version: 'v1', resource: 'configmaps', namespaced: true };
const namespaces = { group: '', version: 'v1', resource: 'namespaces', namespaced: false };
const denied = (what: string) => ({ code: 403, message: `${what} is forbidden: admission control is denying all modifications` });

function start(dir: string, ...flags: string[]): Promise<RunningServer> {
  const own = [`--data-dir=${dir}`, '--memory=false', '--bind-address=127.0.0.1', '--secure-port=0', '--controllers='];
  return runServer(parseOptions([...own, ...flags], { homeDir: dir }), silentLog);
}

test('a server that is refused its own system objects does not start, and leaves its data directory to the next', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-deny-'));
  await expect(start(dir, alwaysDeny)).rejects.toThrow('admission control is denying all modifications');
  await (await start(dir)).close();
  rmSync(dir, { recursive: true, force: true });
});

describe('on data that is there already', () => {
  const dir = mkdtempSync(join(tmpdir(), 'binnacle-deny-'));
  let server: RunningServer;

  beforeAll(async () => {
    const before = await start(dir);
    await before.api.client.create(configMaps, 'default', { kind: 'ConfigMap', metadata: { name: 'kept' } });
    await before.close();
    server = await start(dir, alwaysDeny);
  });
  afterAll(async () => {
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('everything can be read', async () => {
    expect((await server.api.client.get(configMaps, 'default', 'kept')).metadata.name).toBe('kept');
  });

  test('nothing is created, changed or deleted', async () => {
    const { client } = server.api;
    const kept = await client.get(configMaps, 'default', 'kept');
    await expect(client.create(configMaps, 'default', { kind: 'ConfigMap', metadata: { name: 'new' } })).rejects.toMatchObject(denied('configmaps "new"'));
    await expect(client.update(configMaps, { ...kept, data: { a: 'b' } })).rejects.toMatchObject(denied('configmaps "kept"'));
    await expect(client.delete(configMaps, 'default', 'kept')).rejects.toMatchObject(denied('configmaps "kept"'));
    expect(await client.get(configMaps, 'default', 'kept')).toEqual(kept);
  });

  test('a rehearsal is denied too, and a name still to be drawn is shown by its prefix', async () => {
    const drawn = { kind: 'ConfigMap', metadata: { generateName: 'new-' } };
    await expect(server.api.client.create(configMaps, 'default', drawn, { dryRun: 'All' })).rejects.toMatchObject(denied('configmaps "new-"'));
  });

  test('questions are denied too: they are created like objects', async () => {
    const reviews = { group: 'authorization.k8s.io', version: 'v1', resource: 'selfsubjectaccessreviews', namespaced: false };
    const review = { kind: 'SelfSubjectAccessReview', metadata: {}, spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const what = 'selfsubjectaccessreviews.authorization.k8s.io "Unknown"';
    await expect(server.api.client.create(reviews, '', review)).rejects.toMatchObject(denied(what));
  });

  test('who comes earlier in the chain refuses first', async () => {
    await expect(server.api.client.delete(namespaces, '', 'default')).rejects.toMatchObject({
      message: 'namespaces "default" is forbidden: this namespace may not be deleted',
    });
    await expect(server.api.client.create(configMaps, 'nowhere', { kind: 'ConfigMap', metadata: { name: 'new' } })).rejects.toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodedByHand, KmsPlugin } from '../../../test/support/kms-plugin.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-kms-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secrets = '/api/v1/namespaces/default/secrets';
const stored = '/registry/secrets/default/one';
const socket = () => join(folder, 'kms.sock');
const kms = (name = 'plugin', endpoint = socket()) => ({ kms: { apiVersion: 'v2', name, endpoint: `unix://${endpoint}`, timeout: '500ms' } });
const file = () => join(folder, 'encryption.json');

function configure(...providers: readonly object[]): void {
  const resources = [{ resources: ['secrets'], providers }];
  writeFileSync(file(), JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }));
}

function start(...flags: readonly string[]): Promise<ServerInTest> {
  return ServerInTest.start({ flags: ['--memory=false', `--data-dir=${folder}`, `--encryption-provider-config=${file()}`, ...flags] });
}

const bytesIn = async (server: ServerInTest) => Buffer.from((await server.server.api.world.store.get(stored))?.value ?? []);

test('objects are encrypted with keys of a seed that the plugin has encrypted, which is asked for it once', async () => {
  configure(kms());
  await using plugin = await KmsPlugin.listen(socket());
  {
    await using server = await start();
    await server.make(secrets, { metadata: { name: 'one' }, stringData: { a: 'b' } });
    await server.make(secrets, { metadata: { name: 'two' } });
    expect(JSON.parse(decodedByHand(await bytesIn(server), 'plugin', stored))).toMatchObject({ kind: 'Secret', data: { a: 'Yg==' } });
    expect(plugin.calls).toEqual(['Status', 'Encrypt']);
    expect((await server.ask('GET', '/readyz/kms-providers')).text).toBe('ok');
    expect((await server.ask('GET', '/livez/kms-providers')).code).toBe(404);
  }
  plugin.calls.length = 0;
  await using server = await start();
  expect((await server.ask('GET', secrets)).json.items).toHaveLength(2);
  // One seed for what was written, and a new one to write with.
  expect(plugin.calls.filter((call) => call === 'Decrypt')).toHaveLength(1);
});

test('what another key of the plugin has encrypted is read, and written anew by a write without a change', async () => {
  configure(kms());
  {
    await using _plugin = await KmsPlugin.listen(socket(), 'old');
    await using server = await start();
    await server.make(secrets, { metadata: { name: 'one' } });
  }
  await using _plugin = await KmsPlugin.listen(socket(), 'new');
  await using server = await start();
  const { json } = await server.ask('GET', `${secrets}/one`);
  const answer = await server.ask('PUT', `${secrets}/one`, json);
  expect(answer.json.metadata.resourceVersion).not.toBe(json.metadata.resourceVersion);
  expect((await bytesIn(server)).includes('new')).toBe(true);
  expect((await server.ask('PUT', `${secrets}/one`, answer.json)).json.metadata.resourceVersion).toBe(answer.json.metadata.resourceVersion);
});

test('without its plugin nothing is written or read of a resource, and nothing is lost; health says so', async () => {
  configure(kms());
  {
    await using _plugin = await KmsPlugin.listen(socket());
    await using server = await start();
    await server.make(secrets, { metadata: { name: 'one' } });
  }
  await using server = await start();
  const before = await bytesIn(server);
  const made = await server.ask('POST', secrets, { metadata: { name: 'two' } });
  expect([made.code, made.json.message]).toEqual([500, 'Internal error occurred: got unexpected nil transformer']);
  expect((await server.ask('GET', `${secrets}/one`)).code).toBe(500);
  const health = await server.ask('GET', '/healthz/kms-providers');
  expect(health.code).toBe(500);
  expect(health.text).toContain(
    'kms-provider-0: failed to perform status section of the healthz check for KMS Provider plugin, error: the KMS plugin at unix://',
  );
  expect((await bytesIn(server)).equals(before)).toBe(true);
});

test('a plugin that says it is not well is believed', async () => {
  configure(kms());
  await using plugin = await KmsPlugin.listen(socket());
  plugin.healthz = 'vault is sealed';
  await using server = await start();
  expect((await server.ask('GET', '/readyz/kms-providers')).text).toContain(
    'kmsv2 Provider plugin is not healthy, error: got unexpected healthz status: vault is sealed',
  );
});

test('plugins of the first version are refused in the words of the original', async () => {
  configure({ kms: { name: 'plugin', endpoint: `unix://${socket()}` } });
  await expect(start()).rejects.toThrow(
    'error while building transformers: KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.',
  );
});

test('another configuration is used as soon as it is in the file; one that cannot be used changes nothing', async () => {
  const aescbc = (...letters: string[]) => ({ aescbc: { keys: letters.map((name) => ({ name, secret: Buffer.alloc(32, name).toString('base64') })) } });
  configure(aescbc('a'));
  await using server = await start('--encryption-provider-config-automatic-reload');
  await server.make(secrets, { metadata: { name: 'one' } });
  writeFileSync(file(), 'resources: [');
  configure(aescbc('b', 'a'));
  const rewrite = async () => {
    const { json } = await server.ask('GET', `${secrets}/one`);
    await server.ask('PUT', `${secrets}/one`, json);
    return (await bytesIn(server)).subarray(0, 20).toString();
  };
  await expect.poll(rewrite, { timeout: 20_000, interval: 50 }).toBe('k8s:enc:aescbc:v1:b:');
  expect((await server.ask('GET', '/healthz/kms-providers')).text).toBe('ok');
});

test('a configuration is followed only where there is one', async () => {
  await expect(ServerInTest.start({ flags: ['--encryption-provider-config-automatic-reload'] })).rejects.toThrow(
    '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
  );
});

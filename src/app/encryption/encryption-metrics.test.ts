import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KmsPlugin } from '../../../test/support/kms-plugin.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-counted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const maps = '/api/v1/namespaces/default/configmaps';
const secrets = '/api/v1/namespaces/default/secrets';
const key = { name: 'a', secret: Buffer.alloc(32, 'a').toString('base64') };
const file = () => join(folder, 'encryption.json');

function configure(...providers: readonly object[]): void {
  const resources = [
    { resources: ['secrets'], providers },
    { resources: ['configmaps'], providers: [{ aesgcm: { keys: [key] } }, { identity: {} }] },
  ];
  writeFileSync(file(), JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }));
}

function start(...flags: readonly string[]): Promise<ServerInTest> {
  return ServerInTest.start({ flags: ['--memory=false', `--data-dir=${folder}`, `--encryption-provider-config=${file()}`, ...flags] });
}

/** The lines of `/metrics` as a map from name and labels to the number. */
async function counted(server: ServerInTest): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.ask('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

const operations = (resource: string, status: string, prefix: string, type: string) =>
  `apiserver_storage_transformation_operations_total{resource="${resource}",status="${status}",transformation_type="${type}",transformer_prefix="${prefix}"}`;
const durations = (prefix: string, type: string) =>
  `apiserver_storage_transformation_duration_seconds_count{transformation_type="${type}",transformer_prefix="${prefix}"}`;

test('values on their way into the store and back are counted once for each prefix that they have', async () => {
  configure({ identity: {} });
  {
    await using server = await start();
    await server.make(maps, { metadata: { name: 'one' } });
    const numbers = await counted(server);
    for (const prefix of ['k8s:enc:aesgcm:v1:', 'a:']) {
      expect(numbers.get(operations('configmaps', 'OK', prefix, 'to_storage'))).toBeGreaterThan(0);
      expect(numbers.get(durations(prefix, 'to_storage'))).toBeGreaterThan(0);
    }
  }
  await using server = await start();
  await server.ask('GET', maps);
  const numbers = await counted(server);
  for (const prefix of ['k8s:enc:aesgcm:v1:', 'a:']) expect(numbers.get(operations('configmaps', 'OK', prefix, 'from_storage'))).toBeGreaterThan(0);
});

test('values that cannot be read are counted with what became of them', async () => {
  configure({ aescbc: { keys: [key] } });
  {
    await using server = await start();
    await server.make(secrets, { metadata: { name: 'one' } });
  }
  configure({ aescbc: { keys: [{ ...key, name: 'b' }] } });
  await using server = await start();
  await server.ask('GET', `${secrets}/one`);
  const numbers = await counted(server);
  expect(numbers.get(operations('secrets', 'unknown-non-grpc', 'unknown', 'from_storage'))).toBeGreaterThan(0);
  expect(numbers.get(operations('secrets', 'unknown-non-grpc', 'k8s:enc:aescbc:v1:', 'from_storage'))).toBeGreaterThan(0);
});

test('calls of a plugin are counted by method and outcome, its keys by the hash of their ids', async () => {
  configure({ kms: { apiVersion: 'v2', name: 'plugin', endpoint: `unix://${join(folder, 'kms.sock')}`, timeout: '500ms' } });
  const called = (method: string, code: string) =>
    `apiserver_envelope_encryption_kms_operations_latency_seconds_count{grpc_status_code="${code}",method_name="/v2.KeyManagementService/${method}",provider_name="plugin"}`;
  const keyHash = `key_id_hash="sha256:${createHash('sha256').update('key-1').digest('hex')}"`;
  {
    await using _plugin = await KmsPlugin.listen(join(folder, 'kms.sock'), 'key-1');
    await using server = await start();
    await server.make(secrets, { metadata: { name: 'one' } });
    const numbers = await counted(server);
    expect(numbers.get(called('Status', 'OK'))).toBe(1);
    expect(numbers.get(called('Encrypt', 'OK'))).toBe(1);
    expect(numbers.get('apiserver_storage_data_key_generation_duration_seconds_count')).toBe(1);
    expect(numbers.get('apiserver_envelope_encryption_dek_source_cache_size{provider_name="plugin"}')).toBe(1);
    const ofKey = [...numbers].filter(([name]) => name.includes(keyHash));
    const used = ofKey.find(([name]) => name.startsWith('apiserver_envelope_encryption_key_id_hash_total{') && name.includes('to_storage'));
    expect(used?.[1]).toBeGreaterThan(0);
    for (const name of ['key_id_hash_last_timestamp_seconds', 'key_id_hash_status_last_timestamp_seconds'])
      expect(ofKey.find(([line]) => line.startsWith(`apiserver_envelope_encryption_${name}{`))?.[1]).toBeGreaterThan(1e9);
  }
  await using server = await start('--shutdown-delay-duration=0');
  const numbers = await counted(server);
  expect(numbers.get(called('Status', 'Unavailable'))).toBeGreaterThan(0);
});

test('another content of the file is counted, and named by its hash', async () => {
  configure({ identity: {} });
  await using server = await start('--encryption-provider-config-automatic-reload');
  const info = async () => [...(await counted(server)).keys()].find((name) => name.startsWith('apiserver_encryption_config_controller_last_config_info{'));
  const before = await info();
  expect(before).toMatch(/hash="sha256:[0-9a-f]{64}"/);
  configure({ secretbox: { keys: [key] } }, { identity: {} });
  await expect.poll(info, { timeout: 20_000 }).not.toBe(before);
  const reloads = [...(await counted(server))].filter(([name]) =>
    /^apiserver_encryption_config_controller_automatic_reloads_total\{.*status="success"/.test(name),
  );
  expect(reloads.map(([, count]) => count)).toEqual([1]);
});

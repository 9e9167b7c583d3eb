import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { KmsClient } from '#encryption/kms/kms-client.ts';
import { KmsProvider } from '#encryption/kms/kms-provider.ts';
import { KmsPlugin } from '../../../test/support/kms-plugin.ts';

const key = '/registry/secrets/default/one';
const plain = Buffer.from('{"kind":"Secret"}');

let folder: string;
let plugin: KmsPlugin;
let provider: KmsProvider;
let now: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-kms-'));
  const socket = join(folder, 'kms.sock');
  plugin = await KmsPlugin.listen(socket);
  now = 1_000_000;
  const client = new KmsClient({ endpoint: `unix://${socket}`, timeoutMs: 5_000, timers: systemTimers });
  provider = new KmsProvider({ name: 'plugin', client, clock: { now: () => new Date(now) }, timers: systemTimers, log: silentLog });
  await provider.start();
});
afterEach(async () => {
  provider.stop();
  await plugin[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('a new key of the plugin brings a new seed; what was written with the old one is read, and is stale', async () => {
  const before = await provider.encrypt(plain, key);
  expect(await provider.decrypt(before, key)).toEqual({ data: plain, isStale: false });
  plugin.keyId = 'key-2';
  expect(await provider.check()).toBeUndefined();
  expect(await provider.decrypt(before, key)).toEqual({ data: plain, isStale: false });
  now += 20_001;
  expect(await provider.check()).toBeUndefined();
  expect(await provider.decrypt(before, key)).toEqual({ data: plain, isStale: true });
  expect(await provider.decrypt(await provider.encrypt(plain, key), key)).toEqual({ data: plain, isStale: false });
  expect(plugin.calls).toEqual(['Status', 'Encrypt', 'Status', 'Encrypt']);
});

test('every value has a key of its own, of the same seed', async () => {
  const [one, other] = [Buffer.from(await provider.encrypt(plain, key)), Buffer.from(await provider.encrypt(plain, key))];
  expect(one.equals(other)).toBe(false);
  expect(plugin.calls).toEqual(['Status', 'Encrypt']);
  await expect(async () => provider.decrypt(one, `${key}-moved`)).rejects.toThrow('cipher: message authentication failed');
});

test('three minutes after the last good answer nothing is written any more; reading goes on', async () => {
  const before = await provider.encrypt(plain, key);
  now += 180_000;
  await provider.encrypt(plain, key);
  now += 1;
  expect(() => provider.encrypt(plain, key)).toThrow(
    /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at 1970-01-01T00:19:40Z \(current time is 1970-01-01T00:19:40Z\)$/,
  );
  expect(await provider.decrypt(before, key)).toEqual({ data: plain, isStale: false });
  expect(await provider.check()).toBeUndefined();
  await provider.encrypt(plain, key);
});

test('what is damaged is refused in the words of the original', async () => {
  const sealed = Buffer.from(await provider.encrypt(plain, key));
  await expect(async () => provider.decrypt(sealed.subarray(0, 20), key)).rejects.toThrow('unexpected EOF');
  await expect(async () => provider.decrypt(Buffer.alloc(0), key)).rejects.toThrow('encrypted data is empty');
});

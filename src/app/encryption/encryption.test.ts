import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-encryption-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const secrets = '/api/v1/namespaces/default/secrets';
const keyBytes = (letter: string) => Buffer.alloc(32, letter);
const aesgcm = (...letters: string[]) => ({ aesgcm: { keys: letters.map((letter) => ({ name: letter, secret: keyBytes(letter).toString('base64') })) } });
const text = 'a text that must not be seen';

function start(providers: readonly object[] | undefined, resources = ['secrets']): Promise<ServerInTest> {
  const file = join(folder, 'encryption.json');
  const configuration = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources: [{ resources, providers }] };
  if (providers) writeFileSync(file, JSON.stringify(configuration));
  const flags = ['--memory=false', `--data-dir=${folder}`, ...(providers ? [`--encryption-provider-config=${file}`] : [])];
  return ServerInTest.start({ flags });
}

const storedIn = async (server: ServerInTest, key: string) => Buffer.from((await server.server.api.world.store.get(key))?.value ?? []);
const prefixOf = (stored: Buffer) => stored.toString('latin1').split(':').slice(0, 5).join(':');

/** By another implementation than the one under test. */
async function decoded(stored: Buffer, letter: string, key: string): Promise<string> {
  const sealed = stored.subarray(`k8s:enc:aesgcm:v1:${letter}:`.length);
  const secret = await webcrypto.subtle.importKey('raw', keyBytes(letter), 'AES-GCM', false, ['decrypt']);
  const parameters = { name: 'AES-GCM', iv: sealed.subarray(0, 12), additionalData: Buffer.from(key) };
  return Buffer.from(await webcrypto.subtle.decrypt(parameters, secret, sealed.subarray(12))).toString();
}

test('an object lies encrypted in the store, and is served as ever', async () => {
  await using server = await start([aesgcm('a'), { identity: {} }]);
  await server.make(secrets, { metadata: { name: 'one' }, stringData: { key: text } });
  const stored = await storedIn(server, '/registry/secrets/default/one');
  expect(prefixOf(stored)).toBe('k8s:enc:aesgcm:v1:a');
  expect(stored.includes(Buffer.from(text).toString('base64'))).toBe(false);
  expect(JSON.parse(await decoded(stored, 'a', '/registry/secrets/default/one'))).toMatchObject({
    kind: 'Secret',
    data: { key: Buffer.from(text).toString('base64') },
  });
  const { json } = await server.ask('GET', `${secrets}/one`);
  expect(json).toMatchObject({ data: { key: Buffer.from(text).toString('base64') } });
  await server.make('/api/v1/namespaces/default/configmaps', { metadata: { name: 'one' } });
  expect((await storedIn(server, '/registry/configmaps/default/one')).toString()).toContain('"kind":"ConfigMap"');
});

test('custom resources and definitions are covered by *.*, and are read again after a restart', async () => {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
  const spec = { group: 'example.com', names: { plural: 'widgets', kind: 'Widget', singular: 'widget' }, scope: 'Namespaced', versions: [version] };
  const widgets = '/apis/example.com/v1/namespaces/default/widgets';
  {
    await using server = await start([aesgcm('a')], ['*.*']);
    await server.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'widgets.example.com' }, spec });
    await expect.poll(async () => (await server.ask('GET', widgets)).code, { timeout: 20_000 }).toBe(200);
    await server.make(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, text });
    for (const key of ['/registry/example.com/widgets/default/one', '/registry/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com']) {
      expect(prefixOf(await storedIn(server, key))).toBe('k8s:enc:aesgcm:v1:a');
    }
  }
  await using server = await start([aesgcm('a')], ['*.*']);
  expect((await server.ask('GET', `${widgets}/one`)).json).toMatchObject({ text });
});

test('a write without a change is performed when the object lies there with another key or in the clear', async () => {
  const put = async (server: ServerInTest) => {
    const { json } = await server.ask('GET', `${secrets}/one`);
    const answer = await server.ask('PUT', `${secrets}/one`, json);
    expect(answer.code).toBe(200);
    return answer.json.metadata.resourceVersion !== json.metadata.resourceVersion;
  };
  {
    await using server = await start(undefined);
    await server.make(secrets, { metadata: { name: 'one' }, stringData: { key: text } });
  }
  for (const [providers, prefix] of [
    [[aesgcm('a'), { identity: {} }], 'k8s:enc:aesgcm:v1:a'],
    [[aesgcm('b', 'a')], 'k8s:enc:aesgcm:v1:b'],
  ] as const) {
    await using server = await start(providers);
    expect(await put(server)).toBe(true);
    expect(prefixOf(await storedIn(server, '/registry/secrets/default/one'))).toBe(prefix);
    expect(await put(server)).toBe(false);
  }
});

/** As a kube-apiserver v1.36 answers. */
test('an object that cannot be decrypted stays as it is; others can be written, all cannot be listed', async () => {
  {
    await using server = await start([aesgcm('a')]);
    await server.make(secrets, { metadata: { name: 'one' }, stringData: { key: text } });
  }
  {
    await using server = await start([{ aesgcm: { keys: [{ name: 'a', secret: keyBytes('b').toString('base64') }] } }]);
    const before = await storedIn(server, '/registry/secrets/default/one');
    const reason = 'cipher: message authentication failed';
    const listed = await server.ask('GET', secrets);
    expect(listed.code).toBe(429);
    expect(listed.json.message).toBe(
      `storage is (re)initializing: failed to list *core.Secret: unable to transform key "/registry/secrets/default/one": ${reason}`,
    );
    for (const [method, body] of [['GET'], ['PUT', { metadata: { name: 'one' } }], ['DELETE']] as const) {
      const { code, json } = await server.ask(method, `${secrets}/one`, body);
      expect([method, code, json.message]).toEqual([method, 500, `Internal error occurred: ${reason}`]);
    }
    expect((await server.ask('POST', secrets, { metadata: { name: 'one' } })).json.message).toBe('secrets "one" already exists');
    await server.make(secrets, { metadata: { name: 'two' } });
    expect((await server.ask('PUT', `${secrets}/two`, { metadata: { name: 'two' }, stringData: { a: 'b' } })).code).toBe(200);
    expect((await storedIn(server, '/registry/secrets/default/one')).equals(before)).toBe(true);
  }
  await using server = await start([aesgcm('a', 'b')]);
  expect((await server.ask('GET', `${secrets}/one`)).json).toMatchObject({ data: { key: Buffer.from(text).toString('base64') } });
});

test('a server that is told of no keys says so', async () => {
  {
    await using server = await start([aesgcm('a')]);
    await server.make(secrets, { metadata: { name: 'one' } });
  }
  await using server = await start(undefined);
  expect((await server.ask('GET', `${secrets}/one`)).json.message).toBe('Internal error occurred: identity transformer tried to read encrypted data');
  expect((await server.ask('GET', secrets)).json.message).toContain(
    'unable to transform key "/registry/secrets/default/one": identity transformer tried to read encrypted data',
  );
});

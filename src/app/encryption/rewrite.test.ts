import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-rewrite-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const configMaps = '/api/v1/namespaces/default/configmaps';
const aesgcm = (...letters: string[]) => ({
  aesgcm: { keys: letters.map((name) => ({ name: `key-${name}`, secret: Buffer.alloc(32, name).toString('base64') })) },
});

function start(...providers: readonly object[]): Promise<ServerInTest> {
  const file = join(folder, 'encryption.json');
  const resources = [{ resources: ['configmaps'], providers }];
  if (providers.length > 0) writeFileSync(file, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }));
  const flags = providers.length > 0 ? [`--encryption-provider-config=${file}`] : [];
  return ServerInTest.start({ flags: ['--memory=false', `--data-dir=${folder}`, ...flags] });
}

/** Which files of the store hold the text, in whatever page or block. */
function filesWith(text: string): readonly string[] {
  const files = readdirSync(join(folder, 'store'), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, 'store', name));
  return files.filter((file) => statSync(file).isFile() && readFileSync(file).includes(text)).map((file) => file.slice(folder.length + 1));
}

const names = Array.from({ length: 40 }, (_, index) => `object-${index}`);

/** The server has some of its own. */
async function rewriteAll(server: ServerInTest): Promise<void> {
  const { json } = await server.ask('GET', '/api/v1/configmaps');
  for (const { metadata } of json.items as readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[]) {
    const path = `/api/v1/namespaces/${metadata.namespace}/configmaps/${metadata.name}`;
    expect((await server.ask('PUT', path, (await server.ask('GET', path)).json)).code).toBe(200);
  }
}

test('after a rotation no byte in the clear, and none of an old key, is left in any file of the store', async () => {
  {
    await using server = await start();
    for (const name of names) {
      await server.make(configMaps, { metadata: { name }, data: { text: `in the clear ${'x'.repeat(300)}` } });
      await server.ask('PATCH', `${configMaps}/${name}`, { data: { more: 'text' } }, { type: 'application/merge-patch+json' });
    }
    await server.ask('DELETE', `${configMaps}/${names.pop()}`);
  }
  expect(filesWith('in the clear')).not.toEqual([]);
  {
    await using server = await start(aesgcm('a'), { identity: {} });
    await rewriteAll(server);
  }
  expect(filesWith('in the clear')).not.toEqual([]);
  {
    await using server = await start(aesgcm('b', 'a'));
    expect(filesWith('in the clear')).toEqual([]);
    await rewriteAll(server);
  }
  expect(filesWith('aesgcm:v1:key-a:')).not.toEqual([]);
  await using server = await start(aesgcm('b'));
  expect(filesWith('aesgcm:v1:key-a:')).toEqual([]);
  expect(filesWith('aesgcm:v1:key-b:')).not.toEqual([]);
  expect((await server.ask('GET', configMaps)).json.items.filter(({ metadata }) => metadata.name.startsWith('object-'))).toHaveLength(names.length);
});

test('a file asks for it too, and is gone when it is done', async () => {
  const text = 'a text that was deleted';
  {
    await using server = await start();
    await server.make(configMaps, { metadata: { name: 'one' }, data: { text } });
    await server.ask('DELETE', `${configMaps}/one`);
  }
  writeFileSync(join(folder, 'rewrite-store'), '');
  {
    await using _server = await start();
  }
  expect(filesWith(text)).toEqual([]);
  expect(existsSync(join(folder, 'rewrite-store'))).toBe(false);
});

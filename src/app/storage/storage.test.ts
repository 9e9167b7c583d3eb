import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parseOptions } from '#app/flags/options.ts';
import type { StoreKind } from '#app/open-store.ts';
import { checkStorage } from '#app/storage/check-storage.ts';
import { copyStorage, rewriteStorage } from '#app/storage/migrate-storage.ts';
import { openObjects } from '#app/storage/open-objects.ts';
import { hasEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';
import { ServerInTest } from '../../../test/support/server-in-test.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binnacle-storage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parts = { progress: { report: () => {}, end: () => {} }, eventTtlSeconds: 3600 };
const secretOf = (letter: string) => ({ name: letter, secret: Buffer.alloc(32, letter).toString('base64') });

/** Keys by their letters, the first one is written with; none: everything lies in the clear. */
function encryptedBy(...letters: readonly string[]): string[] {
  const providers = [...(letters.length > 0 ? [{ aesgcm: { keys: letters.map(secretOf) } }] : []), { identity: {} }];
  const resources = [{ resources: ['secrets', 'widgets.example.com'], providers }];
  const file = join(folder, `encryption-${letters.join('')}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources }));
  return [`--encryption-provider-config=${file}`];
}

const dataDir = () => `--data-dir=${join(folder, 'data')}`;
const objects = (kind: StoreKind, ...flags: readonly string[]) => openObjects(kind, parseOptions(flags, { homeDir: folder }));
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
const spec = { group: 'example.com', names: { plural: 'widgets', kind: 'Widget', singular: 'widget' }, scope: 'Namespaced', versions: [version] };

/** A server that has made a few objects and is gone. */
async function filled(...flags: readonly string[]): Promise<void> {
  await using server = await ServerInTest.start({ flags: ['--memory=false', dataDir(), ...flags] });
  await server.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { metadata: { name: 'widgets.example.com' }, spec });
  await server.make('/api/v1/namespaces/default/secrets', { metadata: { name: 'one' }, stringData: { a: 'b' } });
  await server.make('/api/v1/namespaces/default/services', { metadata: { name: 'one' }, spec: { ports: [{ port: 80 }] } });
  await expect.poll(async () => (await server.ask('GET', widgets)).code, { timeout: 20_000 }).toBe(200);
  await server.make(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, text: 'x' });
}

const checked = async (kind: StoreKind, ...flags: readonly string[]) => {
  await using opened = await objects(kind, ...flags);
  return await checkStorage(opened, parts.progress);
};

describe('a check of a store', () => {
  test('reads every object, and finds none wrong where none is', async () => {
    await filled(...encryptedBy('a'));
    const summary = await checked('embedded', dataDir(), ...encryptedBy('a'));
    expect(summary).toMatchObject({ unknown: [], problems: [] });
    expect(summary.objects).toBeGreaterThan(100);
  });

  test('tells what cannot be decrypted or decoded, what lies under the key of another, and what is of no resource', async () => {
    await filled(...encryptedBy('a'));
    {
      await using opened = await objects('embedded', dataDir());
      const { store } = opened;
      const service = await store.get('/registry/services/specs/default/one');
      await store.compareAndSet('/registry/services/specs/default/two', 0, service?.value);
      await store.compareAndSet('/registry/configmaps/default/broken', 0, Buffer.from('{"kind":'));
      await store.compareAndSet('/registry/example.org/gone/default/x', 0, Buffer.from('{}'));
    }
    const { problems, unknown } = await checked('embedded', dataDir(), ...encryptedBy('b'));
    expect(unknown).toEqual(['/registry/example.org/gone/default/x']);
    expect(problems).toEqual([
      expect.stringMatching(/^\/registry\/configmaps\/default\/broken: it is no JSON: /),
      expect.stringMatching(/^\/registry\/example.com\/widgets\/default\/one: .*no matching key was found for the provided AES transformer$/),
      expect.stringMatching(/^\/registry\/secrets\/default\/one: .*no matching key was found for the provided AES transformer$/),
      '/registry/services/specs/default/two: its name belongs to the key /registry/services/specs/default/one',
    ]);
  });
});

test('a migration in place writes with the first key, custom objects too; a second one finds nothing but those that are encrypted', async () => {
  await filled();
  const raw = async (key: string) => {
    await using opened = await objects('embedded', dataDir());
    return Buffer.from((await opened.store.get(key))?.value ?? []).toString('latin1');
  };
  for (const letters of [['a'], ['b', 'a']]) {
    await using opened = await objects('embedded', dataDir(), ...encryptedBy(...letters));
    expect(await rewriteStorage(opened, parts)).toMatchObject({ rewritten: 2, problems: [] });
    await opened[Symbol.asyncDispose]();
    for (const key of ['/registry/secrets/default/one', '/registry/example.com/widgets/default/one']) {
      expect((await raw(key)).slice(0, 20)).toBe(`k8s:enc:aesgcm:v1:${letters[0]}:`);
    }
  }
  expect((await checked('embedded', dataDir(), ...encryptedBy('b'))).problems).toEqual([]);
});

describe.skipIf(!hasEtcd)(`a migration to a real etcd ${hasEtcd ? '' : withoutEtcd}`, () => {
  test('and back brings every object, can be taken up again, and refuses a target with something else', async () => {
    const etcd = await startEtcd();
    onTestFinished(() => etcd[Symbol.asyncDispose]());
    const [flags, there, back] = [encryptedBy('a'), `--etcd-servers=${etcd.url}`, `--data-dir=${join(folder, 'back')}`];
    await filled(...flags);
    let hash: string;
    {
      await using source = await objects('embedded', dataDir(), ...flags);
      await using target = await objects('etcd', there, ...flags);
      const first = await copyStorage(source, target, parts);
      expect(first).toMatchObject({ present: 0 });
      expect(first.copied).toBeGreaterThan(100);
      expect(await copyStorage(source, target, parts)).toEqual({ copied: 0, present: first.copied, hash: first.hash });
      const secret = await target.store.get('/registry/secrets/default/one');
      expect(Buffer.from(secret?.value ?? []).toString('latin1')).toContain('k8s:enc:aesgcm:v1:a:');
      expect(Buffer.from((await target.store.get('/registry/services/specs/default/one'))?.value ?? []).toString('latin1')).toContain('k8s\0');
      hash = first.hash;
    }
    expect((await checked('etcd', there, ...flags)).problems).toEqual([]);
    {
      await using source = await objects('etcd', there, ...flags);
      await using target = await objects('embedded', back, ...flags);
      expect(await copyStorage(source, target, parts)).toMatchObject({ hash });
      await source.store.compareAndSet('/registry/secrets/default/one', (await source.store.get('/registry/secrets/default/one'))?.revision ?? 0, undefined);
      await expect(copyStorage(source, target, parts)).rejects.toThrow('the target is not empty: it has /registry/secrets/default/one');
    }
    await using server = await ServerInTest.start({ flags: ['--memory=false', back, ...flags] });
    expect((await server.ask('GET', '/api/v1/namespaces/default/secrets/one')).json).toMatchObject({ data: { a: 'Yg==' } });
    await expect.poll(async () => (await server.ask('GET', `${widgets}/one`)).json, { timeout: 20_000 }).toMatchObject({ text: 'x' });
  }, 60_000);
});

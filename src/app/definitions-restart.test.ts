// Custom kinds after a restart: served from the first yes of /readyz on, whatever became of the file that makes starts fast.
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServerInTest } from '../../test/support/server-in-test.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/kept.example.com/v1/things';
const size = (kept: number) => ({ type: 'object', properties: { size: { type: 'integer', default: kept } } });

function definition(openAPIV3Schema: object) {
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  const spec = { group: 'kept.example.com', scope: 'Cluster', names: { plural: 'things', kind: 'Thing' }, versions };
  return { metadata: { name: 'things.kept.example.com', annotations: { note: 'kept' } }, spec };
}

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-definitions-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function start(): Promise<ServerInTest> {
  return ServerInTest.start({ flags: ['--memory=false', `--data-dir=${dir}`, '--controllers='] });
}

function file(): string {
  return join(dir, 'definition-facts');
}

async function make(server: ServerInTest, name: string): Promise<unknown> {
  const { text } = await server.ask('POST', things, { apiVersion: 'kept.example.com/v1', kind: 'Thing', metadata: { name } });
  return /"size":(\d+)/.exec(text)?.[1];
}

const accidents: Readonly<Record<string, () => void>> = {
  'is whole': () => {},
  'is missing': () => rmSync(file()),
  'was cut off': () => writeFileSync(file(), readFileSync(file()).subarray(0, 300)),
  'has rubbish in it': () => appendFileSync(file(), Buffer.from([0, 0, 10, 255, 32, 32, 32, 32, 10])),
};

test.each(Object.entries(accidents))('a start serves custom kinds where the file of facts %s', async (_, accident) => {
  const first = await start();
  await first.make(definitions, definition(size(3)));
  await vi.waitFor(async () => expect(await make(first, 'first')).toBe('3'));
  await first[Symbol.asyncDispose]();
  expect(existsSync(file())).toBe(true);
  accident();
  const second = await start();
  expect((await second.ask('GET', things)).json).toMatchObject({ items: [{ metadata: { name: 'first' }, size: 3 }] });
  expect(await make(second, 'second')).toBe('3');
  const stored = (await second.ask('GET', `${definitions}/things.kept.example.com`)).json;
  expect(stored).toMatchObject({ metadata: { annotations: { note: 'kept' } }, spec: definition(size(3)).spec });
  await second.ask('PUT', `${definitions}/things.kept.example.com`, { ...stored, spec: definition(size(4)).spec });
  await vi.waitFor(async () => expect(await make(second, `third-${Math.random()}`)).toBe('4'));
  await second[Symbol.asyncDispose]();
  const third = await start();
  expect(await make(third, 'fourth')).toBe('4');
  await third.ask('DELETE', `${definitions}/things.kept.example.com`);
  await vi.waitFor(async () => expect((await third.ask('GET', things)).code).toBe(404));
  await third[Symbol.asyncDispose]();
  const fourth = await start();
  expect((await fourth.ask('GET', things)).code).toBe(404);
  await fourth[Symbol.asyncDispose]();
});

test('discovery after a start names custom kinds that nobody has asked for, and follows them when they change', async () => {
  const first = await start();
  await first.make(definitions, definition(size(3)));
  await vi.waitFor(async () => expect(await make(first, 'first')).toBe('3'));
  await first[Symbol.asyncDispose]();
  const second = await start();
  const versions = async () => {
    const { groups = [] } = (await second.ask('GET', '/apis')).json;
    const all = groups.flatMap(({ versions: found }) => found.map(({ groupVersion }) => groupVersion));
    return all.filter((groupVersion) => groupVersion.startsWith('kept.example.com/')).map((groupVersion) => groupVersion.split('/')[1]);
  };
  expect(await versions()).toEqual(['v1']);
  const { metadata } = (await second.ask('GET', `${definitions}/things.kept.example.com`)).json;
  const { spec } = definition(size(3));
  const more = spec.versions.map((version) => ({ ...version, name: 'v2', storage: false }));
  const changed = { ...definition(size(3)), metadata, spec: { ...spec, versions: [...spec.versions, ...more] } };
  expect((await second.ask('PUT', `${definitions}/things.kept.example.com`, changed)).code).toBe(200);
  await vi.waitFor(async () => expect(await versions()).toEqual(['v2', 'v1']));
  expect((await second.ask('GET', '/apis/kept.example.com/v2')).json).toMatchObject({ resources: [{ name: 'things', kind: 'Thing' }] });
  expect((await second.ask('GET', '/apis/kept.example.com/v2/things/first')).json).toMatchObject({ apiVersion: 'kept.example.com/v2', size: 3 });
  await second[Symbol.asyncDispose]();
});

test('superfluous facts leave their file when a start is over', async () => {
  const first = await start();
  await first.make(definitions, definition(size(3)));
  await vi.waitFor(async () => expect(await make(first, 'first')).toBe('3'));
  await first[Symbol.asyncDispose]();
  appendFileSync(file(), 'rubbish\n');
  const second = await start();
  await vi.waitFor(() => expect(readFileSync(file(), 'utf8')).not.toContain('rubbish'));
  expect(readFileSync(file(), 'utf8').match(/things\.kept\.example\.com kept/g)).toHaveLength(1);
  await second[Symbol.asyncDispose]();
});

test('a definition that goes before anybody has asked for its kind takes it along', async () => {
  const first = await start();
  await first.make(definitions, definition(size(3)));
  await vi.waitFor(async () => expect(await make(first, 'first')).toBe('3'));
  await first[Symbol.asyncDispose]();
  const second = await start();
  await second.ask('DELETE', `${definitions}/things.kept.example.com`);
  await vi.waitFor(async () => expect((await second.ask('GET', `${definitions}/things.kept.example.com`)).code).toBe(404));
  expect((await second.ask('GET', things)).code).toBe(404);
  // Its APIService is removed by another loop.
  await vi.waitFor(async () => expect((await second.ask('GET', '/apis')).text).not.toContain('kept.example.com'));
  await second[Symbol.asyncDispose]();
});

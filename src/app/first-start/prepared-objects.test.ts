import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fillPrepared, isPlain, preparedAt, readPrepared } from '#app/first-start/prepared-objects.ts';
import { parseOptions } from '#app/flags/options.ts';
import { openStore } from '#app/open-store.ts';
import { type RunningServer, runServer } from '#app/run-server.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { systemTimers } from '#base/timers.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { type Entry, rangeOf } from '#store/store.ts';

/** The machine may be busy. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'binnacle-prepared-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

interface Stored {
  readonly metadata: { readonly uid: string; readonly creationTimestamp: string };
}

/** `isWhole`: the server may take it that nothing is missing. */
function start(clock: Clock, prepared?: string, { data = '--memory', isWhole = true } = {}): Promise<RunningServer> {
  const options = parseOptions([`--data-dir=${dir}`, data, '--bind-address=127.0.0.1', '--secure-port=0', '--controllers=', '--nodes=0'], { homeDir: dir });
  const open: typeof openStore = async (...parts) => {
    const opened = await openStore(...parts);
    if (prepared !== undefined) await fillPrepared(opened.store, prepared, clock);
    return { ...opened, isFilled: prepared !== undefined && isWhole };
  };
  return runServer(options, silentLog, clock, { value: 0 }, systemTimers, { open });
}

const everything = rangeOf('/registry/');
const entriesOf = async ({ api }: RunningServer) => (await api.world.store.list(everything)).entries;
const objectOf = ({ value }: Entry) => JSON.parse(Buffer.from(value).toString()) as Stored;
const flowSchemas = rangeOf('/registry/flowschemas/');
const apiServices = '/registry/apiregistration.k8s.io/apiservices/';

/** As the build lets it: nothing is left to write. */
async function madeObjects(): Promise<{ readonly entries: readonly Entry[]; readonly prepared: string }> {
  const maker = await start({ now: () => preparedAt });
  const { store } = maker.api.world;
  await vi.waitFor(async () => {
    for (const { value } of (await store.list(flowSchemas)).entries) expect(Buffer.from(value).toString()).toContain('"conditions"');
  });
  const made = { entries: await entriesOf(maker), prepared: await readPrepared(store) };
  await maker.close();
  return made;
}

test('a first start with prepared objects has what one has that makes them, writes none of them again, and gives each a uid and the time of its own', async () => {
  const maker = await madeObjects();
  const { prepared } = maker;
  const made = new Map(maker.entries.map((entry) => [entry.key, entry]));
  const lines = prepared.split('\n').length - 1;
  expect(lines).toBeGreaterThan(150);

  const server = await start(systemClock, prepared);
  const entries = await entriesOf(server);
  expect(entries.map(({ key }) => key)).toEqual([...made.keys()]);
  // Revision 1 is the empty store.
  const untouched = entries.filter(({ revision }) => revision <= lines + 1);
  expect(untouched).toHaveLength(lines);
  expect(new Set(entries.map((entry) => objectOf(entry).metadata.uid)).size).toBe(entries.length);
  for (const { key, value } of untouched) {
    const { uid, creationTimestamp } = objectOf({ key, value, revision: 0 }).metadata;
    const before = made.get(key) as Entry;
    expect(Buffer.from(value).toString().replace(uid, '').replaceAll(creationTimestamp, '')).toBe(
      Buffer.from(before.value).toString().replace(objectOf(before).metadata.uid, '').replaceAll(objectOf(before).metadata.creationTimestamp, ''),
    );
    expect(Math.abs(Date.parse(creationTimestamp) - Date.now())).toBeLessThan(120_000);
  }
  await server.close();
});

test('what a start that was killed has not written is made by the next one', async () => {
  const { prepared } = await madeObjects();
  const half = prepared
    .split('\n')
    .filter((_, index) => index % 2 === 0)
    .map((line) => `${line}\n`)
    .join('');
  const server = await start(systemClock, half, { data: '--memory=false', isWhole: false });
  const keys = (await entriesOf(server)).map(({ key }) => key);
  for (const line of prepared.split('\n').slice(0, -1)) expect(keys).toContain(line.slice(0, line.indexOf('\t')));
  await server.close();
});

test('objects that are there are left alone', async () => {
  const store = openMemoryStore();
  await store.compareAndSet(`${apiServices}v1.`, 0, Buffer.from('mine'));
  await fillPrepared(store, `${apiServices}v1.\tother\n`, systemClock);
  expect(Buffer.from((await store.get(`${apiServices}v1.`))?.value ?? []).toString()).toBe('mine');
});

test.each([
  '--runtime-config=api/all=true',
  '--feature-gates=AllAlpha=true',
  '--enable-admission-plugins=AlwaysDeny',
  '--admission-control=AlwaysAdmit',
  '--admission-control-config-file=/x',
  '--audit-policy-file=/x',
  '--enable-priority-and-fairness=false',
])('with %s the server makes its objects itself', (flag) => {
  expect(isPlain(parseOptions(['--memory', '--disable-admission-plugins=ServiceAccount', '--authorization-mode=RBAC'], { homeDir: dir }))).toBe(true);
  expect(isPlain(parseOptions(['--memory', flag], { homeDir: dir }))).toBe(false);
});

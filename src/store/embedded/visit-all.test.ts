import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { rangeOf, type Store } from '#store/store.ts';

const pods = rangeOf('/registry/pods/');
const forever = new AbortController().signal;
let directory: string;
let store: Store;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'binnacle-visit-'));
  store = await openEmbeddedStore(directory);
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Small ones lie side by side in a page, large ones on pages of their own. */
function valueOf(i: number, round: number): Buffer {
  return Buffer.from(`${i} in round ${round} `.repeat(i % 7 === 0 ? 2_000 : i % 3 === 0 ? 400 : 3));
}

async function fill(round: number, count = 300): Promise<void> {
  const writes = Array.from({ length: count }, async (_, i) => {
    const key = `/registry/${i % 5 === 4 ? 'nodes' : 'pods'}/p${i}`;
    const current = await store.get(key);
    const value = round > 0 && i % 4 === 0 ? undefined : valueOf(i, round);
    if (value !== undefined || current !== undefined) await store.compareAndSet(key, current?.revision ?? 0, value);
  });
  await Promise.all(writes);
}

async function visited(onVisit: () => void = () => {}): Promise<{ revision: number; entries: string[] }> {
  const entries: string[] = [];
  let at = 0;
  const begin = (revision: number) => {
    at = revision;
    return ({ key, value, revision: written }: { key: string; value: Uint8Array; revision: number }) => {
      entries.push(`${key}@${written} ${Buffer.from(value).toString()}`);
      onVisit();
    };
  };
  await store.visitAll(pods, begin, forever);
  return { revision: at, entries: entries.sort() };
}

async function listed(at: number): Promise<string[]> {
  const { entries } = await store.list(pods, { at });
  return entries.map(({ key, value, revision }) => `${key}@${revision} ${Buffer.from(value).toString()}`).sort();
}

test('an empty store and an empty range have nothing to visit', async () => {
  expect(await visited()).toEqual({ revision: 1, entries: [] });
  await store.compareAndSet('/registry/nodes/a', 0, Buffer.from('a'));
  expect(await visited()).toEqual({ revision: 2, entries: [] });
});

test('a visit sees what a list of the same revision holds, also after updates, deletions and compaction', async () => {
  for (const round of [0, 1, 2]) {
    await fill(round);
    const { revision, entries } = await visited();
    expect(entries.length).toBeGreaterThan(100);
    expect(entries).toEqual(await listed(revision));
  }
  await store.compact(await store.revision());
  const { revision, entries } = await visited();
  expect(entries).toEqual(await listed(revision));
});

test('writes and compaction beside a visit do not change what it sees', async () => {
  await fill(0, 3_000);
  const before = await store.revision();
  const expected = await listed(before);
  let beside: Promise<void> | undefined;
  const { revision, entries } = await visited(() => {
    beside ??= fill(1, 3_000).then(async () => store.compact(await store.revision()));
  });
  await beside;
  expect(revision).toBe(before);
  expect(entries).toEqual(expected);
});

import { inflateRawSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { DeflatedRuns, runEnd } from '#server/answer/deflated-runs.ts';
import { type ListedItem, storedList, storedWriter } from '#server/answer/list-text.ts';

const megabyte = 1 << 20;
const kilobyte = `,"p":"${'x'.repeat(1000)}"`;

function item(text: string, serial?: number): ListedItem {
  const bytes = Buffer.from(text);
  return { serial, byteLength: bytes.length, copyTo: (target, at, skip) => at + bytes.copy(target, at, skip) };
}

function numbered(count: number, padding = ''): ListedItem[] {
  return Array.from({ length: count }, (_, i) => item(`{"n":${i}${padding}}`, i + 1));
}

function spanOf(items: readonly ListedItem[], from = 0, end = items.length) {
  return { ...storedList({ head: '', tail: '', skip: 1 }, items), from, end };
}

function boundaries(items: readonly ListedItem[], from = 0): ListedItem[] {
  const found: ListedItem[] = [];
  for (let at = runEnd(items, from); at < items.length; at = runEnd(items, at)) found.push(items[at] as ListedItem);
  return found;
}

const inflated = (bytes: Buffer) => inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString();

test('a run has a comma before each item', async () => {
  const { bytes, length } = await new DeflatedRuns(megabyte).of(spanOf(numbered(3)));
  expect(inflated(bytes)).toBe(',{"n":0},{"n":1},{"n":2}');
  expect(length).toBe(24);
});

test('the same items are compressed once, also when asked for at the same time', () => {
  const runs = new DeflatedRuns(megabyte);
  const items = numbered(10);
  expect(runs.of(spanOf([...items]))).toBe(runs.of(spanOf(items)));
});

test('another item between the same first and last is another run', async () => {
  const runs = new DeflatedRuns(megabyte);
  const items = numbered(3);
  await runs.of(spanOf(items));
  const changed = items.with(1, item('{"n":"new"}', 4));
  expect(inflated((await runs.of(spanOf(changed))).bytes)).toBe(',{"n":0},{"n":"new"},{"n":2}');
  const shorter = items.toSpliced(1, 1);
  expect(inflated((await runs.of(spanOf(shorter))).bytes)).toBe(',{"n":0},{"n":2}');
});

test('items that leave out more at their beginning are another run', async () => {
  const runs = new DeflatedRuns(megabyte);
  const items = numbered(2);
  await runs.of(spanOf(items));
  expect(inflated((await runs.of({ ...spanOf(items), writer: storedWriter(5) })).bytes)).toBe(',{0},{1}');
});

test('runs that are compressed at the same time or one after the other have their own texts', async () => {
  const runs = new DeflatedRuns(megabyte);
  const run = (name: string) => runs.of(spanOf(Array.from({ length: 40 }, (_, i) => item(`{"n":"${name}-${i}"${kilobyte}}`))));
  const textOf = (name: string) => Array.from({ length: 40 }, (_, i) => `,{"n":"${name}-${i}"${kilobyte}}`).join('');
  const names = ['a', 'b', 'c', 'd'];
  const together = await Promise.all(names.map(run));
  expect(together.map(({ bytes }) => inflated(bytes))).toEqual(names.map(textOf));
  for (const name of ['later', 'last']) expect(inflated((await run(name)).bytes)).toBe(textOf(name));
  expect(together.map(({ bytes }) => inflated(bytes))).toEqual(names.map(textOf));
});

test('items made for one answer are not kept', async () => {
  const runs = new DeflatedRuns(megabyte);
  await runs.of(spanOf([item('{"a":1}'), item('{"b":2}')]));
  expect(runs.bytes).toBe(0);
});

test('what is kept stays within the budget; what was asked for last stays', async () => {
  const runs = new DeflatedRuns(10_000);
  const items = numbered(1000);
  const last = spanOf(items, 0, 2);
  const kept = runs.of(last);
  for (let from = 0; from < 1000; from += 2) {
    await runs.of(spanOf(items, from, from + 2));
    expect(runs.of(last)).toBe(kept);
    expect(runs.bytes).toBeLessThanOrEqual(10_000);
  }
  expect(runs.bytes).toBeGreaterThan(9000);
});

test('a run larger than the budget is sent and not kept', async () => {
  const runs = new DeflatedRuns(100);
  expect(inflated((await runs.of(spanOf(numbered(2)))).bytes)).toBe(',{"n":0},{"n":1}');
  expect(runs.bytes).toBe(0);
});

test('a change moves only the boundaries beside it', () => {
  const items = numbered(8000, kilobyte);
  const before = boundaries(items);
  expect(before.length).toBeGreaterThan(30);
  const after = new Set(boundaries(items.with(3000, item(`{"n":"new"${kilobyte}}`, 30_000))));
  expect(before.filter((boundary) => !after.has(boundary)).length).toBeLessThanOrEqual(1);
  expect(after.size).toBeLessThanOrEqual(before.length + 1);
});

test('wherever a list begins, its runs are soon the same', () => {
  const items = numbered(8000, kilobyte);
  const whole = boundaries(items);
  const later = boundaries(items, 3001);
  expect(later.length).toBeGreaterThan(15);
  expect(whole.slice(-later.length + 3)).toEqual(later.slice(3));
});

test('large items make short runs, one too large makes its own', () => {
  const items = numbered(50, `,"p":"${'x'.repeat(100_000)}"`);
  expect(runEnd(items, 0)).toBeLessThanOrEqual(3);
  const huge = item(`{"p":"${'x'.repeat(megabyte)}"}`, 100);
  expect(runEnd([huge, ...items], 0)).toBe(1);
});

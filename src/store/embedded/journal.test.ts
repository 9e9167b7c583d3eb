import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isJournal, Journal } from '#store/embedded/journal.ts';

let scratch: string;
let path: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'binnacle-journal-'));
  path = join(scratch, 'journal');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

async function append(journal: Journal, text: string): Promise<void> {
  const room = journal.room(Buffer.byteLength(text));
  if (room === undefined) throw new Error('there is no room');
  room.write(text);
  await journal.append(room.length);
}

function contents(journal: Journal): string[] {
  return [...journal.records()].map(String);
}

/** What the next start finds. */
function reopened(settled = 0): { readonly texts: string[]; readonly epoch: number } {
  const journal = new Journal(path, settled);
  journal.close();
  return { texts: contents(journal), epoch: journal.epoch };
}

const long = 'a record of several sectors '.repeat(400);

describe('the next start finds', () => {
  test('nothing in a new file', () => {
    expect(reopened()).toEqual({ texts: [], epoch: 1 });
    expect(isJournal(path)).toBe(true);
  });

  test('what was appended, in order', async () => {
    const journal = new Journal(path, 0);
    for (const text of ['one', long, '', 'three']) await append(journal, text);
    expect(contents(journal)).toEqual(['one', long, '', 'three']);
    expect(reopened().texts).toEqual(['one', long, '', 'three']);
    journal.close();
  });

  test('only what belongs to the epoch that was being written', async () => {
    const journal = new Journal(path, 0);
    for (const text of ['old', 'older', 'oldest']) await append(journal, text);
    journal.rewind();
    await append(journal, 'new');
    journal.close();
    expect(reopened(1)).toEqual({ texts: ['new'], epoch: 2 });
  });

  test('nothing of an epoch that LMDB has', async () => {
    const journal = new Journal(path, 0);
    await append(journal, 'applied');
    journal.close();
    expect(reopened(1)).toEqual({ texts: [], epoch: 2 });
  });

  test.each([
    ['the checksum', 4096 + 12],
    ['the length', 4096 + 11],
    ['the epoch', 4096 + 7],
    ['the content', 4096 + 20],
  ])('nothing from a record on whose write was cut short: %s', async (_, damaged) => {
    const journal = new Journal(path, 0);
    for (const text of ['whole', 'cut short']) await append(journal, text);
    journal.close();
    const bytes = readFileSync(path);
    bytes[damaged] = (bytes[damaged] ?? 0) ^ 0x40;
    writeFileSync(path, bytes);
    expect(reopened().texts).toEqual(['whole']);
  });

  test('the epoch after the one LMDB has where the first record is cut short, whatever number stands there', async () => {
    const journal = new Journal(path, 4);
    await append(journal, 'cut short');
    journal.close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 0, 8);
    writeFileSync(path, bytes);
    expect(reopened(4)).toEqual({ texts: [], epoch: 5 });
  });

  test('nothing in a file that was never finished, and makes it whole', async () => {
    const journal = new Journal(path, 0);
    await append(journal, 'one');
    journal.close();
    truncateSync(path, statSync(path).size - 1);
    expect(isJournal(path)).toBe(false);
    expect(reopened().texts).toEqual([]);
    expect(isJournal(path)).toBe(true);
  });
});

test.each([
  ['the first', 0],
  ['one in the middle', 4096],
])('a journal is refused when %s of its records is damaged: the others are nowhere else', async (_, start) => {
  const journal = new Journal(path, 0);
  for (const text of ['one', 'two', 'three']) await append(journal, text);
  journal.close();
  const bytes = readFileSync(path);
  bytes.fill(0xa5, start, start + 4096);
  writeFileSync(path, bytes);
  expect(() => new Journal(path, 0)).toThrow(`it is damaged at byte ${start}`);
  expect(reopened(1).texts).toEqual([]);
});

describe('there is no room', () => {
  test('for a record that is worth a transaction, or does not fit any more', async () => {
    const journal = new Journal(path, 0);
    expect(journal.room(1 << 20)).toBeUndefined();
    let records = 0;
    for (; journal.room(5000) !== undefined; records++) await append(journal, 'x'.repeat(5000));
    expect(records).toBe(256);
    expect(reopened().texts).toHaveLength(256);
    expect(statSync(path).size).toBe(2 << 20);
    journal.close();
  });

  test('for anything while it is not known what stands there', async () => {
    const journal = new Journal(path, 0);
    expect(journal.isEmpty).toBe(true);
    journal.spoil();
    expect(journal.room(1)).toBeUndefined();
    expect(journal.isEmpty).toBe(false);
    journal.rewind();
    await append(journal, 'again');
    expect(contents(journal)).toEqual(['again']);
    journal.close();
  });
});

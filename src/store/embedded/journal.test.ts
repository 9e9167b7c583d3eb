import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeGroup, lengthOfGroup } from '#store/embedded/group-entries.ts';
import { type Journal, makeJournal } from '#store/embedded/journal.ts';
import { BLOCK, FILE_SIZE, placeOfHeader, placeOfRecord, SECTOR } from '#store/embedded/journal-layout.ts';
import type { JournalMark } from '#store/embedded/journal-mark.ts';
import { journalFile, openJournal, readInUse } from '#store/embedded/open-journal.ts';

let scratch: string;
let path: string;
const id = Buffer.alloc(16, 'store');

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'binnacle-journal-'));
  path = journalFile(scratch);
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** What the next start finds: the values that stand in the journal, oldest first. */
function open(settled = 0, lastRevision = 0, state: JournalMark['state'] = 'in use'): Journal {
  const journal = openJournal({ directory: scratch, mark: { id, settled, state }, format: '3', lastRevision, newId: () => id });
  if (journal === undefined) throw new Error('there is no journal');
  return journal;
}

/** Revisions are 1, 2, 3 …; one write for each value. */
async function append(journal: Journal, revision: number, value: string): Promise<void> {
  const group = { writes: [{ revision, before: 0, keyBytes: Buffer.from('k'), value: Buffer.from(value), deadline: undefined }], settledLeases: [] };
  const length = lengthOfGroup(group);
  encodeGroup(group, journal.room(length));
  await journal.append(length, revision - 1);
}

async function filled(...values: string[]): Promise<Journal> {
  makeJournal(path, id, 1);
  const journal = open();
  for (const [i, value] of values.entries()) await append(journal, i + 1, value);
  return journal;
}

const VALUE_AT = 9 + 12 + 11 + 1;

/** Takes them out like LMDB does. */
async function drain(journal: Journal): Promise<string[]> {
  const values: string[] = [];
  const take = () => {
    for (const content of journal.closed?.contents ?? []) values.push(content.toString('utf8', VALUE_AT));
    journal.forgetClosed();
  };
  take();
  if (!journal.isEmpty) await journal.closeEpoch();
  take();
  return values;
}

async function found(...settled: Parameters<typeof open>): Promise<string[]> {
  const before = readFileSync(path);
  const journal = open(...settled);
  const values = await drain(journal);
  journal.close();
  writeFileSync(path, before);
  return values;
}

const long = 'a record of several sectors '.repeat(400);

describe('the next start finds', () => {
  test('nothing in a new file', async () => {
    makeJournal(path, id, 1);
    expect(await found()).toEqual([]);
    expect(statSync(path)).toMatchObject({ size: FILE_SIZE, mode: 0o100600 });
  });

  test('what was appended, in order', async () => {
    const journal = await filled('one', long, '', 'three');
    journal.close();
    expect(await found()).toEqual(['one', long, '', 'three']);
  });

  test('an epoch that was closed and the one that followed, where LMDB has neither', async () => {
    const journal = await filled('one', 'two');
    await journal.closeEpoch();
    await append(journal, 3, 'three');
    journal.close();
    expect(await found(0)).toEqual(['one', 'two', 'three']);
    expect(await found(1, 2)).toEqual(['three']);
  });

  test('nothing of earlier epochs, whatever they left behind the last record', async () => {
    const journal = await filled(long, long, long);
    for (let epoch = 1; epoch < 5; epoch++) {
      await journal.closeEpoch();
      journal.forgetClosed();
    }
    await append(journal, 4, 'new');
    journal.close();
    expect(journal.epoch).toBe(5);
    expect(await found(4, 3)).toEqual(['new']);
  });

  test('an epoch only as far as it was known to be whole when it was closed', async () => {
    const journal = await filled('one');
    await append(journal, 2, 'perhaps on the disk');
    const doubtful = readFileSync(path);
    journal.close();
    makeJournal(path, id, 1);
    const again = open();
    await append(again, 1, 'one');
    again.doubt();
    await again.closeEpoch();
    again.close();
    const file = readFileSync(path);
    doubtful.copy(file, placeOfRecord(1, 1), placeOfRecord(1, 1), placeOfRecord(1, 2));
    writeFileSync(path, file);
    expect(await found(0)).toEqual(['one']);
  });
});

describe('a record that was never finished is told from a damaged one', () => {
  /** `sectors` of the last record are as they were before it was written. */
  async function torn(last: string, sectors: readonly number[]): Promise<void> {
    const journal = await filled(long, long);
    for (let epoch = 1; epoch < 3; epoch++) {
      await journal.closeEpoch();
      journal.forgetClosed();
    }
    await append(journal, 3, 'whole');
    const before = readFileSync(path);
    await append(journal, 4, last);
    journal.close();
    const file = readFileSync(path);
    for (const sector of sectors) {
      const at = placeOfRecord(3, 1) + sector * SECTOR;
      before.copy(file, at, at, at + SECTOR);
    }
    writeFileSync(path, file);
  }

  test.each([[[0]], [[1]], [[0, 1, 2]], [[22]], [[5, 6, 7, 8, 9, 10]]])('sectors %j have not been written: it is dropped', async (sectors) => {
    await torn(long, sectors);
    expect(await found(2, 2)).toEqual(['whole']);
  });

  test('zeros count as not written', async () => {
    await torn(long, []);
    const file = readFileSync(path);
    file.fill(0, placeOfRecord(3, 1) + SECTOR, placeOfRecord(3, 1) + 2 * SECTOR);
    writeFileSync(path, file);
    expect(await found(2, 2)).toEqual(['whole']);
  });

  test('behind it there is another: it was finished once', async () => {
    const journal = await filled('one', 'two', 'three');
    journal.close();
    const file = readFileSync(path);
    file.fill(0, placeOfRecord(1, 1), placeOfRecord(1, 2));
    writeFileSync(path, file);
    await expect(found()).rejects.toThrow(`${path}: it is damaged at byte ${placeOfRecord(1, 1)}`);
  });

  test('a closed epoch is whole or damaged', async () => {
    const journal = await filled('one', 'two');
    await journal.closeEpoch();
    journal.close();
    const file = readFileSync(path);
    file.fill(0, placeOfRecord(1, 1), placeOfRecord(1, 2));
    writeFileSync(path, file);
    await expect(found()).rejects.toThrow('it is damaged');
  });
});

describe('every flipped byte', () => {
  /** Tries every byte of a range; returns how often the journal was refused. */
  function flipAll(from: number, to: number, settled: number, lastRevision: number, whole: readonly string[]): number {
    const file = readFileSync(path);
    let refused = 0;
    for (let at = from; at < to; at++) {
      const byte = file[at] as number;
      file[at] = byte ^ (1 << (at % 8));
      try {
        const { records } = readInUse(file, { id, settled, state: 'in use' }, { directory: scratch, lastRevision });
        const values = records.map(({ content }) => content.toString('utf8', VALUE_AT));
        expect(values, `byte ${at}`).toEqual(whole);
      } catch (error) {
        expect((error as Error).message).toMatch(/damaged|older|of another store/);
        refused++;
      }
      file[at] = byte;
    }
    return refused;
  }

  test('of a record and its neighbourhood loses nothing, or the journal is refused', async () => {
    const journal = await filled(long.slice(0, 1100), 'last');
    journal.close();
    expect(flipAll(placeOfRecord(1, 0), placeOfRecord(1, 0) + 3 * SECTOR, 0, 0, [long.slice(0, 1100), 'last'])).toBeGreaterThan(1100);
    expect(flipAll(placeOfRecord(1, 1), placeOfRecord(1, 1) + SECTOR, 0, 0, [long.slice(0, 1100), 'last'])).toBeGreaterThan(50);
  });

  test('of both headers loses nothing, or the journal is refused', async () => {
    const journal = await filled('one');
    await journal.closeEpoch();
    journal.forgetClosed();
    await append(journal, 2, 'two');
    journal.close();
    expect(flipAll(placeOfHeader(2), 64, 1, 1, ['two'])).toBe(40);
    expect(flipAll(placeOfHeader(1), BLOCK + 64, 1, 1, ['two'])).toBe(0);
  });
});

describe('a journal is refused', () => {
  test.each([0, 1, BLOCK, FILE_SIZE / 2, FILE_SIZE - 1])('when it was cut to %i bytes', async (length) => {
    const journal = await filled('one');
    journal.close();
    truncateSync(path, length);
    expect(() => open()).toThrow(`cannot open the store ${path}: it should have ${FILE_SIZE} bytes and has only ${length}. Restore the whole directory`);
  });

  test('when it has grown, is missing, or is something else', async () => {
    const journal = await filled('one');
    journal.close();
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('x')]));
    expect(() => open()).toThrow('and has more');
    rmSync(path);
    expect(() => open()).toThrow(`${path}: it is missing, and held writes that are nowhere else`);
    writeFileSync(path, Buffer.alloc(FILE_SIZE));
    expect(() => open()).toThrow('it is damaged at byte 0');
  });

  test('when it is of another store', async () => {
    makeJournal(path, Buffer.alloc(16, 'other'), 1);
    for (const state of ['in use', 'resting'] as const) expect(() => open(0, 0, state)).toThrow('it is the journal of another store');
  });

  test('when it is older than the data file, or the data file is older', async () => {
    const journal = await filled('one');
    const old = readFileSync(path);
    await journal.closeEpoch();
    journal.forgetClosed();
    await append(journal, 2, 'two');
    journal.close();
    const current = readFileSync(path);
    writeFileSync(path, old);
    expect(() => open(1, 1)).toThrow('it is older than');
    writeFileSync(path, current);
    expect(() => open(1, 0)).toThrow('it goes on after revision 1, but');
    expect(() => open(0, 0)).not.toThrow();
    const newer = open(1, 1);
    await newer.closeEpoch();
    newer.close();
    expect(() => open(0, 0)).toThrow('data.mdb is older than it');
  });

  test('when the data file, which says that it has everything, is older', async () => {
    const journal = await filled('one');
    journal.close();
    expect(() => open(0, 0, 'resting')).toThrow('data.mdb is older than it');
  });
});

test('where LMDB has everything, a journal that is missing, damaged or older is made again', async () => {
  const spoil: (() => void)[] = [
    () => rmSync(path),
    () => truncateSync(path, 5),
    () => writeFileSync(path, Buffer.alloc(FILE_SIZE, 'x')),
    () => makeJournal(path, id, 1),
  ];
  for (const damage of spoil) {
    makeJournal(path, id, 4);
    damage();
    const journal = open(3, 9, 'resting');
    expect([journal.epoch, journal.isResting, journal.takes(1)]).toEqual([4, true, false]);
    journal.forgetClosed();
    await append(journal, 10, 'again');
    journal.close();
    expect(await found(3, 9)).toEqual(['again']);
  }
});

test('a journal does not take large groups, nor more than a half holds, nor anything while it is not known what stands there', async () => {
  const journal = await filled();
  expect(journal.takes(1 << 20)).toBe(false);
  let records = 0;
  for (; journal.hasRoom(5000); records++) await append(journal, records + 1, 'x'.repeat(4960));
  expect(records).toBe(128);
  journal.doubt();
  expect([journal.takes(1), journal.isEmpty]).toEqual([false, false]);
  await journal.closeEpoch();
  expect([journal.takes(1), journal.isEmpty, journal.hasRoom(5000)]).toEqual([true, true, true]);
  await expect(journal.closeEpoch()).rejects.toThrow('LMDB has not got the epoch before');
  journal.close();
});

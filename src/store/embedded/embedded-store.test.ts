import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { apart, Slabs } from '#base/memory/short-lived.ts';
import { systemTimers } from '#base/timers.ts';
import { DirectoryInUseError } from '#store/embedded/directory-claim.ts';
import { EmbeddedStore } from '#store/embedded/embedded-store.ts';
import { dataFile, openEngine } from '#store/embedded/engine.ts';
import { type AcceptedWrite, encodeGroup, lengthOfGroup } from '#store/embedded/group-entries.ts';
import { Journal, makeJournal } from '#store/embedded/journal.ts';
import { StoreOpenError } from '#store/embedded/open-error.ts';
import { openEmbeddedStore } from '#store/embedded/open-embedded-store.ts';
import { revisionKey } from '#store/embedded/records.ts';
import { copyOfUsed } from '#store/embedded/shrink-data-file.ts';
import type { ExpiringStore } from '#store/expiry.ts';
import { CompactedError, StoreUnwritableError } from '#store/store.ts';
import { testStoreContract } from '#store/store-contract.ts';
import {
  bytes,
  collect,
  countFrom,
  pod,
  pods,
  StoppedClock,
  stateAt,
  told,
  until,
  valueOf,
  write,
  writeDeferred,
  writeMany,
} from '#store/store-contract-support.ts';

let scratch: string;
let directory: string;
const forever = new AbortController().signal;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'binnacle-store-'));
  directory = join(scratch, 'data');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

testStoreContract('the embedded store', (clock) => openEmbeddedStore(directory, { clock }));

describe('after a restart', () => {
  test('state, history and revision are there', async () => {
    await using(async (store) => {
      const created = await write(store, 'a', 0, 'one');
      await write(store, 'a', created, 'two');
      await write(store, 'b', 0, 'three');
    });
    await using(async (store) => {
      expect(await store.revision()).toBe(4);
      expect(await stateAt(store, 2)).toBe('a=one');
      expect(await stateAt(store, 4)).toBe('a=two b=three');
      expect((await collect(store.watch(pods, 2, forever), 2)).map(told)).toEqual(['3 a: one@2 > two', '4 b: - > three']);
      expect(await write(store, 'c', 0, 'four')).toBe(5);
    });
  });

  test('a revision is not given out again, even if nothing is left of it', async () => {
    await using(async (store) => {
      await write(store, 'a', await write(store, 'a', 0, 'one'), undefined);
      await store.compact(3);
    });
    await using(async (store) => {
      expect(await store.revision()).toBe(3);
      expect(await write(store, 'a', 0, 'two')).toBe(4);
    });
  });

  test('a store from before there was a journal is taken over', async () => {
    await using((store) => write(store, 'a', 0, 'one'));
    rmSync(join(directory, 'writes.journal'));
    const engine = await openEngine(directory);
    await engine.commit((transaction) => transaction.put('meta', Buffer.from('format'), Buffer.from('1')));
    await engine.close();
    await using(async (store) => expect(await write(store, 'b', 0, 'two')).toBe(3));
    await using(async (store) => expect(await stateAt(store, 3)).toBe('a=one b=two'));
  });

  test('a store of format 2 is taken over with what only its journal has', async () => {
    await using((store) => write(store, 'a', 0, 'one'));
    const engine = await openEngine(directory);
    await engine.commit((transaction) => {
      transaction.put('meta', Buffer.from('format'), Buffer.from('2'));
      transaction.put('meta', Buffer.from('journal'), revisionKey(4));
    });
    await engine.close();
    writeJournalOfFormat2(5, { revision: 3, before: 2, keyBytes: Buffer.from(pod('a')), value: bytes('two'), deadline: undefined });
    await using(async (store) => {
      expect(await stateAt(store, 3)).toBe('a=two');
      expect(await write(store, 'b', 0, 'three')).toBe(4);
    });
    await using(async (store) => expect(await stateAt(store, 4)).toBe('a=two b=three'));
  });

  test('a store of format 2 whose journal is missing or was cut is refused', async () => {
    await using((store) => write(store, 'a', 0, 'one'));
    const engine = await openEngine(directory);
    await engine.commit((transaction) => {
      transaction.put('meta', Buffer.from('format'), Buffer.from('2'));
      transaction.put('meta', Buffer.from('journal'), revisionKey(4));
    });
    await engine.close();
    rmSync(journalPath());
    await expect(openEmbeddedStore(directory)).rejects.toThrow(journalPath());
    writeJournalOfFormat2(5, { revision: 3, before: 2, keyBytes: Buffer.from(pod('a')), value: bytes('two'), deadline: undefined });
    truncateSync(journalPath(), 1 << 20);
    await expect(openEmbeddedStore(directory)).rejects.toThrow(`${journalPath()}: it should have 2097152 bytes and has 1048576`);
  });

  test('compacted history stays compacted', async () => {
    await using(async (store) => {
      await write(store, 'a', await write(store, 'a', 0, 'one'), 'two');
      await store.compact(3);
    });
    await using(async (store) => {
      await expect(store.get(pod('a'), { at: 2 })).rejects.toThrow(CompactedError);
      await expect(collect(store.watch(pods, 2, forever), 1)).rejects.toThrow(CompactedError);
    });
  });

  test('a deadline still holds', async () => {
    const clock = new StoppedClock();
    await using((store) => store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 }), { clock });
    clock.advance(61);
    await using(
      async (store) => {
        await store.expireDue();
        expect(await store.get(pod('a'))).toBeUndefined();
      },
      { clock },
    );
  });

  test('a sweep that was cut short is finished', async () => {
    let sweeps = 0;
    const failpoint = (point: string) => {
      if (point === 'before-sweep' && ++sweeps === 2) throw new Error('cut short');
    };
    await using(
      async (store) => {
        let revision = 0;
        for (let i = 0; i < 600; i++) revision = await write(store, 'a', revision, `${i}`);
        await expect(store.compact(revision)).rejects.toThrow('cut short');
      },
      { failpoint },
    );
    expect(await loggedRevisions()).toBeGreaterThan(300);
    await using((store) => store.compact(601));
    expect(await loggedRevisions()).toBe(1);
  });
});

describe('what only the journal has', () => {
  /** LMDB has the first write of each key, the journal the second ones; `gone` was deleted, `back` deleted and made again. */
  async function fill(store: ExpiringStore): Promise<void> {
    for (const name of ['a', 'c', 'gone', 'back', 'z']) await write(store, name, 0, 'old');
    await store.compact(2);
    await write(store, 'c', 3, 'new');
    await write(store, 'gone', 4, undefined);
    await write(store, 'back', 5, undefined);
    await write(store, 'back', 0, 'again');
    for (const name of ['A', 'b', 'zz']) await write(store, name, 0, 'first');
  }

  const whole = 'A=first a=old b=first back=again c=new z=old zz=first';

  test('is listed, counted, read and visited like everything else, at every revision', async () => {
    await using(async (store) => {
      await fill(store);
      const revision = await store.revision();
      expect(await stateAt(store, revision)).toBe(whole);
      expect(await stateAt(store, 8)).toBe('a=old back=old c=new z=old');
      expect(await stateAt(store, 9)).toBe('a=old c=new z=old');
      expect(await stateAt(store, 6)).toBe('a=old back=old c=old gone=old z=old');
      expect(await store.count(pods)).toBe(7);
      expect(await store.get(pod('back'), { at: 9 })).toBeUndefined();
      expect(String((await store.get(pod('c'), { at: 6 }))?.value)).toBe('old');
      const visited: string[] = [];
      await store.visitAll(
        pods,
        () =>
          ({ key, value }) =>
            visited.push(`${key.slice(pods.start.length)}=${String(value)}`),
        forever,
      );
      expect(visited.sort().join(' ')).toBe(whole);
    });
  });

  test('is on the pages of a list in its place', async () => {
    await using(async (store) => {
      await fill(store);
      const names: string[] = [];
      for (let start = pods.start, more = true; more; ) {
        const page = await store.list({ ...pods, start }, { limit: 2 });
        names.push(...page.entries.map(({ key }) => key.slice(pods.start.length)));
        start = `${page.entries.at(-1)?.key}\u0000`;
        more = page.more;
      }
      expect(names.join(' ')).toBe('A a b back c z zz');
    });
  });

  test('is told to watches that begin before it', async () => {
    await using(async (store) => {
      await fill(store);
      const all = (await collect(store.watch(pods, 5, forever), 8)).map(told);
      expect(all.slice(0, 5)).toEqual(['6 z: - > old', '7 c: old@3 > new', '8 gone: old@4 > -', '9 back: old@5 > -', '10 back: - > again']);
      expect((await collect(store.watch(pods, 11, forever), 2)).map(told)).toEqual(['12 b: - > first', '13 zz: - > first']);
    });
  });

  test('is there after a kill, with its history, and is kept by compaction', async () => {
    const { signal } = runElsewhere(`
      const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
      const store = await openEmbeddedStore(process.argv[1]);
      for (let i = 0, revision = 0; i < 300; i++) ({ revision } = await store.compareAndSet('/registry/pods/a', revision, Buffer.from(String(i))));
      await store.compareAndSet('/registry/pods/b', 0, Buffer.from('one'), { ttlSeconds: 60 });
      process.kill(process.pid, 'SIGKILL');`);
    expect(signal).toBe('SIGKILL');
    const clock = new StoppedClock();
    clock.advance(1e9);
    await using(
      async (store) => {
        expect(await store.revision()).toBe(302);
        expect(await stateAt(store, 302)).toBe('a=299 b=one');
        expect(await stateAt(store, 200)).toBe('a=198');
        await store.compact(250);
        expect(await stateAt(store, 250)).toBe('a=248');
        await store.expireDue();
        expect(await stateAt(store, await store.revision())).toBe('a=299');
      },
      { clock },
    );
  });

  test('is nothing of a write that the disk refused: LMDB takes over until the epoch is over', async () => {
    mkdirSync(directory);
    const engine = await openEngine(directory);
    const path = join(directory, 'writes.journal');
    const id = Buffer.alloc(16, 'store');
    makeJournal(path, id, 1);
    const journal = new Journal(path, { id, epoch: 1, records: [], blocks: 0, isResting: false });
    const append = journal.append.bind(journal);
    const disk = { works: true };
    journal.append = async (length, base) => {
      await append(length, base);
      if (!disk.works) throw new Error('Input/output error');
    };
    const store = new EmbeddedStore({ engine, journal, clock: systemClock, timers: systemTimers, failpoint: () => undefined, release: () => undefined });
    await write(store, 'a', 0, 'one');
    disk.works = false;
    await expect(write(store, 'a', 2, 'perhaps on the disk')).rejects.toThrow(StoreUnwritableError);
    expect(await stateAt(store, await store.revision())).toBe('a=one');
    disk.works = true;
    expect(await write(store, 'a', 2, 'two')).toBe(4);
    expect([journal.isEmpty, journal.epoch]).toEqual([true, 2]);
    await write(store, 'b', 0, 'three');
    expect(journal.isEmpty).toBe(false);
    await store.close();
    await using(async (next) => {
      expect(await stateAt(next, 5)).toBe('a=two b=three');
      expect(await stateAt(next, 3)).toBe('a=one');
    });
  });

  test('is not needed: a store that cannot have a journal works without', async () => {
    mkdirSync(join(directory, 'writes.journal'), { recursive: true });
    await using(async (store) => {
      await fill(store);
      expect(await stateAt(store, await store.revision())).toBe(whole);
    });
    await using(async (store) => expect(await store.count(pods)).toBe(7));
  });
});

describe('a journal that does not belong to its data file', () => {
  /** Acknowledged writes that only the journal has. */
  function killAfter(writes: number): void {
    const { signal } = runElsewhere(`
      const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
      const store = await openEmbeddedStore(process.argv[1]);
      for (let i = 0; i < ${writes}; i++) await store.compareAndSet('/registry/pods/' + process.pid + '-' + i, 0, Buffer.from('x'));
      process.kill(process.pid, 'SIGKILL');`);
    expect(signal).toBe('SIGKILL');
  }

  test('keeps the store from opening, until the operator gives up what is lost: its revisions are not given out again', async () => {
    killAfter(5);
    rmSync(journalPath());
    const refused = openEmbeddedStore(directory);
    await expect(refused).rejects.toThrow(
      `cannot open the store ${journalPath()}: it is missing, and held writes that are nowhere else. Restore the whole directory`,
    );
    await expect(refused).rejects.toThrow(`make the file ${journalPath()}.give-up and start again`);
    writeFileSync(`${journalPath()}.give-up`, '');
    await using(async (store) => {
      expect(await store.count(pods)).toBe(1);
      expect(await store.revision()).toBeGreaterThan(1_000_000);
      await expect(collect(store.watch(pods, 5, forever), 1)).rejects.toThrow(CompactedError);
      await write(store, 'later', 0, 'one');
    });
    await using(async (store) => expect(await store.count(pods)).toBe(2));
    expect(existsSync(`${journalPath()}.give-up`)).toBe(false);
  });

  test('is refused where it is of an earlier time, of another store, or the data file is', async () => {
    killAfter(3);
    cpSync(directory, join(scratch, 'early'), { recursive: true });
    await using((store) => write(store, 'between', 0, 'one'));
    killAfter(4);
    cpSync(directory, join(scratch, 'late'), { recursive: true });
    for (const file of ['writes.journal', 'data.mdb']) {
      cpSync(join(scratch, 'late'), directory, { recursive: true });
      copyFileSync(join(scratch, 'early', file), join(directory, file));
      await expect(openEmbeddedStore(directory)).rejects.toThrow(journalPath());
    }
    cpSync(join(scratch, 'late'), directory, { recursive: true });
    rmSync(dataFile(directory));
    await expect(openEmbeddedStore(directory)).rejects.toThrow(`${dataFile(directory)} does not know it`);
    rmSync(dataFile(directory));
    cpSync(join(scratch, 'late'), directory, { recursive: true });
    await using(async (store) => expect(await store.count(pods)).toBe(8));
  });

  test('does not matter after the store was closed: LMDB has everything', async () => {
    await using((store) => writeMany(store, 'p', 10));
    rmSync(journalPath());
    await using(async (store) => expect(await store.count(pods)).toBe(10));
    killAfter(2);
    await using(async (store) => expect(await store.count(pods)).toBe(12));
  });
});

describe('LMDB takes the journal over', () => {
  test('while writes go on, and what it has not got yet is read from the journal', async () => {
    let release: (() => void) | undefined;
    const failpoint = (point: string) => (point === 'before-takeover' ? new Promise<void>((resolve) => (release = resolve)) : undefined);
    await using(
      async (store) => {
        let written = 0;
        while (release === undefined) await write(store, `p${written++}`, 0, 'x'.repeat(4000));
        for (let more = 0; more < 50; more++) await write(store, `p${written++}`, 0, 'y');
        expect(await store.count(pods)).toBe(written);
        expect(await valueOf(store, 'p5')).toHaveLength(4000);
        expect((await collect(store.watch(pods, 1, forever), written)).map(({ revision }) => revision)).toEqual(countFrom(2, written));
        release();
        await store.compact(3);
        expect(await store.count(pods)).toBe(written);
      },
      { failpoint },
    );
  });

  test('again, when it was refused: writes go on as long as the journal has room, and nothing is lost', async () => {
    let refusals = 0;
    const failpoint = (point: string) => {
      if (point === 'before-takeover' && refusals < 3) {
        refusals++;
        throw new Error('no space left on device');
      }
    };
    let written = 0;
    let refused = 0;
    await using(
      async (store) => {
        for (; refusals < 3 || written < 900; written++) {
          await write(store, `p${written}`, 0, 'x'.repeat(4000)).catch((error: Error) => {
            expect(error).toBeInstanceOf(StoreUnwritableError);
            expect(store.writeError()).toBe(error);
            refused++;
          });
        }
        expect(refused).toBe(2);
        expect(store.writeError()).toBeUndefined();
        expect(await store.count(pods)).toBe(written - refused);
      },
      { failpoint },
    );
    await using(async (store) => expect(await store.count(pods)).toBe(written - refused));
  });
});

describe('compaction', () => {
  test('leaves nothing but the latest state on disk', async () => {
    await using(async (store) => {
      let revision = 0;
      for (let i = 0; i < 20; i++) revision = await write(store, 'a', revision, `${i}`);
      for (const name of ['b', 'c']) await write(store, name, await write(store, name, 0, 'one'), undefined);
      await write(store, 'd', 0, 'last');
      await store.compact(await store.revision());
    });
    expect(await loggedRevisions()).toBe(2);
    const engine = await openEngine(directory);
    expect(engine.tables.latest.getCount()).toBe(2);
    await engine.close();
  });

  test('gives the space of old values back to new ones', async () => {
    await using(async (store) => {
      const sizes: number[] = [];
      const value = 'x'.repeat(3000);
      let revision = 0;
      for (let round = 0; round < 6; round++) {
        for (let i = 0; i < 100; i++) revision = await write(store, 'a', revision, value);
        await store.compact(revision);
        sizes.push(statSync(dataFile(directory)).size);
      }
      expect(sizes.at(-1)).toBe(sizes[2]);
    });
  });
});

describe('a data file that is mostly free', () => {
  /** 40 MB were written, next to nothing is left. */
  async function grow(): Promise<void> {
    await using(async (store) => {
      await Promise.all(countFrom(0, 200).map((i) => write(store, `p${i}`, 0, 'x'.repeat(200_000))));
      for (const i of countFrom(1, 199)) await write(store, `p${i}`, i + 2, undefined);
      await store.compact(await store.revision());
      await write(store, 'last', 0, 'here');
    });
  }

  test('is brought down at the next start, with all that is in it', async () => {
    await grow();
    const before = statSync(dataFile(directory)).size;
    expect(before).toBeGreaterThan(40e6);
    await using(async (store) => {
      expect(await stateAt(store, await store.revision())).toBe(`last=here p0=${'x'.repeat(200_000)}`);
      expect(await write(store, 'more', 0, 'one')).toBe(402);
    });
    expect(statSync(dataFile(directory)).size).toBeLessThan(2e6);
    expect(existsSync(join(directory, 'shrinking'))).toBe(false);
    await using(async (store) => expect(await store.count(pods)).toBe(3));
  });

  test('is left to the server that is making it smaller; what a killed one left does no harm', async () => {
    await grow();
    const engine = await openEngine(directory);
    const smaller = await copyOfUsed(engine);
    await engine.close();
    await expect(openEmbeddedStore(directory)).rejects.toThrow('which is making its data file smaller');
    smaller?.putInPlace();
    await expect(openEmbeddedStore(directory)).rejects.toThrow(DirectoryInUseError);
    await smaller?.release();
    await using(async (store) => expect(await store.count(pods)).toBe(2));
    mkdirSync(join(directory, 'shrinking', 'copy'), { recursive: true });
    await using(async (store) => expect(await store.count(pods)).toBe(2));
    expect(existsSync(join(directory, 'shrinking'))).toBe(false);
  });
});

describe('a directory', () => {
  test('belongs to one store at a time, and the other learns whose it is', async () => {
    const store = await openEmbeddedStore(directory);
    const second = openEmbeddedStore(directory);
    await expect(second).rejects.toThrow(DirectoryInUseError);
    await expect(second).rejects.toThrow(`the data directory ${directory} is in use by another server: process ${process.pid} on `);
    await write(store, 'a', 0, 'still works');
    expect(await valueOf(store, 'a')).toBe('still works');
    await store.close();
    await using(async (next) => expect(await valueOf(next, 'a')).toBe('still works'));
  });

  test('cannot be taken from a server that runs in another process', async () => {
    await using(async () => {
      const { stdout } = runElsewhere(`
        const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
        await openEmbeddedStore(process.argv[1]).then(() => console.log('opened'), (error) => console.log(error.message));
        process.exit();`);
      expect(stdout).toContain(`is in use by another server: process ${process.pid} on `);
    });
  });

  test('of a server that was killed can be taken over at once', async () => {
    const { signal, stdout } = runElsewhere(`
      const { openEmbeddedStore } = await import('#store/embedded/open-embedded-store.ts');
      const store = await openEmbeddedStore(process.argv[1]);
      const { committed } = await store.compareAndSet('/registry/pods/a', 0, Buffer.from('one'));
      console.log(committed);
      process.kill(process.pid, 'SIGKILL');`);
    expect([stdout, signal]).toEqual(['true\n', 'SIGKILL']);
    expect(existsSync(join(directory, 'owner.json'))).toBe(true);
    await using(async (store) => expect(await valueOf(store, 'a')).toBe('one'));
    expect(existsSync(join(directory, 'owner.json'))).toBe(false);
  });

  test('that cannot be made is named', async () => {
    writeFileSync(directory, 'a file');
    await expect(openEmbeddedStore(join(directory, 'below'))).rejects.toThrow(`cannot open the store ${dataFile(join(directory, 'below'))}: ENOTDIR`);
  });
});

describe('a damaged file', () => {
  test('that is something else is refused', async () => {
    mkdirSync(directory);
    writeFileSync(dataFile(directory), 'this is not a store'.repeat(10_000));
    await expect(openEmbeddedStore(directory)).rejects.toThrow(StoreOpenError);
    await expect(openEmbeddedStore(directory)).rejects.toThrow(`cannot open the store ${dataFile(directory)}: this is not a store, or its header is damaged`);
  });

  test('that lost its end is refused', async () => {
    await using(async (store) => {
      await writeMany(store, 'p', 180);
      for (let i = 0; i < 20; i++) await write(store, `large${i}`, 0, 'x'.repeat(30_000));
    });
    const whole = statSync(dataFile(directory)).size;
    for (const part of [0.2, 0.5, 0.9]) {
      copyFileSync(dataFile(directory), join(scratch, 'whole'));
      truncateSync(dataFile(directory), Math.floor(whole * part));
      await expect(openEmbeddedStore(directory)).rejects.toThrow('the file is damaged: it ends after');
      copyFileSync(join(scratch, 'whole'), dataFile(directory));
    }
    await using(async (store) => expect(await store.count(pods)).toBe(200));
  });

  test('that only lost pages nobody uses is not refused', async () => {
    await using(async (store) => {
      await writeMany(store, 'p', 180);
      for (let i = 0; i < 20; i++) await write(store, `large${i}`, 0, 'c'.repeat(i * 3000));
    });
    const file = readFileSync(dataFile(directory));
    for (const page of [0, 8192]) file.writeUInt32LE(file.readUInt32LE(page + 144) + 3, page + 144);
    writeFileSync(dataFile(directory), file);
    await using(async (store) => expect(await store.count(pods)).toBe(200));
  });

  test('of a later format is refused', async () => {
    await using((store) => write(store, 'a', 0, 'one'));
    const engine = await openEngine(directory);
    await engine.commit((transaction) => transaction.put('meta', Buffer.from('format'), Buffer.from('4')));
    await engine.close();
    await expect(openEmbeddedStore(directory)).rejects.toThrow('it has format 4, this server knows format 3');
  });
});

describe('a disk that refuses writes', () => {
  const disk = { works: true };
  const failpoint = (point: string) => {
    if (point === 'before-commit' && !disk.works) throw new Error('Input/output error');
  };
  beforeEach(() => {
    disk.works = true;
  });

  test('fails writes and lets reads and watches go on, until it heals', async () => {
    await using(
      async (store) => {
        const seen = collect(store.watch(pods, 1, forever), 2);
        await write(store, 'a', 0, 'one');
        disk.works = false;
        const failing = write(store, 'b', 0, 'lost');
        await expect(failing).rejects.toThrow(StoreUnwritableError);
        await expect(failing).rejects.toThrow(`the store in ${directory} cannot be written: Input/output error`);
        await expect(store.compact(2)).rejects.toThrow(StoreUnwritableError);
        expect(store.writeError()?.message).toBe(`the store in ${directory} cannot be written: Input/output error`);
        expect(await stateAt(store, await store.revision())).toBe('a=one');
        disk.works = true;
        await write(store, 'b', 0, 'kept');
        expect(store.writeError()).toBeUndefined();
        expect((await seen).map(({ key }) => key)).toEqual([pod('a'), pod('b')]);
        expect(await stateAt(store, await store.revision())).toBe('a=one b=kept');
      },
      { failpoint },
    );
    await using(async (store) => expect(await stateAt(store, await store.revision())).toBe('a=one b=kept'));
  });

  test('does not let a refusal tell of a write that failed', async () => {
    await using(
      async (store) => {
        disk.works = false;
        const results = await Promise.allSettled([write(store, 'a', 0, 'one'), write(store, 'a', 0, 'two')]);
        expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
        disk.works = true;
        expect(await store.get(pod('a'))).toBeUndefined();
      },
      { failpoint },
    );
  });

  test('does not stop keys from expiring later', async () => {
    const clock = new StoppedClock();
    await using(
      async (store) => {
        await store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 });
        clock.advance(61);
        disk.works = false;
        await expect(store.expireDue()).rejects.toThrow(StoreUnwritableError);
        disk.works = true;
        await store.expireDue();
        expect(await store.get(pod('a'))).toBeUndefined();
      },
      { failpoint, clock },
    );
  });
});

describe('when nothing is written for a while', () => {
  const large = 'x'.repeat(50_000);
  let takeovers = 0;
  let works = true;
  const timers = new ManualTimers();
  const options = {
    timers,
    failpoint: (point: string) => {
      if (point !== 'before-commit') return;
      takeovers++;
      if (!works) throw new Error('Input/output error');
    },
  };
  const beginning = async (store: ExpiringStore) => {
    for (const name of ['a', 'b', 'c', 'd']) await write(store, name, 0, large);
    takeovers = 0;
  };
  beforeEach(() => (works = true));

  test('LMDB takes over what the journal has, once', async () => {
    await using(async (store) => {
      await beginning(store);
      timers.advance(1_999);
      await write(store, 'e', 0, 'one');
      expect(takeovers).toBe(1);
      timers.advance(1);
      expect(timers.pending).toBe(1);
      timers.advance(2_000);
      await until(() => takeovers === 2);
      await write(store, 'f', 0, 'one');
      timers.advance(10_000);
      expect(timers.pending).toBe(0);
      expect(takeovers).toBe(3);
      expect(await store.count(pods)).toBe(6);
    }, options);
    expect(timers.pending).toBe(0);
  });

  test('little stays in the journal', async () => {
    await using(async (store) => {
      await write(store, 'a', 0, 'one');
      takeovers = 0;
      timers.advance(10_000);
      expect([takeovers, timers.pending]).toEqual([0, 0]);
    }, options);
  });

  test('a disk that refuses is asked again, and says so until it does not', async () => {
    await using(async (store) => {
      await beginning(store);
      works = false;
      timers.advance(4_000);
      await until(() => timers.pending === 1);
      expect(store.writeError()?.message).toContain('Input/output error');
      works = true;
      timers.advance(5_000);
      await until(() => store.writeError() === undefined);
      expect((await store.get(pod('c')))?.value.length).toBe(large.length);
    }, options);
  });
});

describe('deferred writes', () => {
  const disk = { works: true, commits: 0 };
  const failpoint = (point: string) => {
    if (point !== 'before-commit') return;
    if (!disk.works) throw new Error('Input/output error');
    disk.commits++;
  };
  beforeEach(() => {
    disk.works = true;
    disk.commits = 0;
  });

  test('share the transaction of the write that follows, and become one', async () => {
    await using(
      async (store) => {
        let at = await write(store, 'a', 0, '0');
        const seen = collect(store.watch(pods, at, forever), 2);
        for (const value of ['1', '2', '3']) at = await ahead(store, 'a', at, value);
        await write(store, 'b', 0, 'one');
        expect(disk.commits).toBe(2);
        expect((await seen).map(told)).toEqual(['3 a: 0@2 > 3', '4 b: - > one']);
      },
      { failpoint },
    );
  });

  test('leave at hand what they wrote, but not the slab in which it was written', async () => {
    await using(async (store) => {
      const created = await write(store, 'a', 0, '0');
      const seen = collect(store.watch(pods, created, forever), 2);
      const set = async (expected: number) => store.compareAndSetDeferred(pod('a'), expected, new Slabs().copy(bytes('1')), () => {});
      const first = await set(created);
      await write(store, 'b', 0, 'one');
      expect(first.committed && (await set(first.revision)).committed).toBe(true);
      await write(store, 'c', 0, 'one');
      const [second] = await collect(store.watch(pods, created + 2, forever), 1);
      const replaced = second?.previous?.value ?? bytes('');
      expect([replaced.length, apart(replaced) === replaced]).toEqual([1, true]);
      await seen;
    });
  });

  test('are decided on top of what is on its way to the disk', async () => {
    let release = () => {};
    const slow = (point: string) => (point === 'before-commit' && disk.commits++ === 1 ? new Promise<void>((resolve) => (release = resolve)) : undefined);
    await using(
      async (store) => {
        const created = await write(store, 'a', 0, 'one');
        const first = await ahead(store, 'a', created, 'two');
        while (disk.commits < 2) await new Promise((resolve) => setImmediate(resolve));
        const second = await ahead(store, 'a', first, 'three');
        expect(second).toBe(first + 1);
        const later = write(store, 'b', 0, 'four');
        release();
        expect(await stateAt(store, await later)).toBe('a=three b=four');
      },
      { failpoint: slow },
    );
  });

  test('are told lost when the disk refuses them, and the write that follows fails with them', async () => {
    await using(
      async (store) => {
        const created = await write(store, 'a', 0, 'one');
        disk.works = false;
        const lost: string[] = [];
        const first = await ahead(store, 'a', created, 'two', () => lost.push('two'));
        await ahead(store, 'a', first, 'three', () => lost.push('three'));
        await expect(write(store, 'b', 0, 'four')).rejects.toThrow(StoreUnwritableError);
        expect(lost).toEqual(['two', 'three']);
        disk.works = true;
        await ahead(store, 'a', created, 'five');
        expect(await stateAt(store, await write(store, 'b', 0, 'six'))).toBe('a=five b=six');
      },
      { failpoint },
    );
  });

  test('are lost with the transaction they stand on', async () => {
    let fail = () => {};
    const failing = (point: string) =>
      point === 'before-commit' && disk.commits++ === 1 ? new Promise<void>((_, reject) => (fail = () => reject(new Error('I/O')))) : undefined;
    await using(
      async (store) => {
        const created = await write(store, 'a', 0, 'one');
        const lost: string[] = [];
        const first = await ahead(store, 'a', created, 'two', () => lost.push('two'));
        while (disk.commits < 2) await new Promise((resolve) => setImmediate(resolve));
        await ahead(store, 'a', first, 'three', () => lost.push('three'));
        fail();
        const later = await write(store, 'b', 0, 'four');
        expect(lost).toEqual(['two', 'three']);
        expect(await stateAt(store, later)).toBe('a=one b=four');
      },
      { failpoint: failing },
    );
  });

  async function ahead(store: ExpiringStore, name: string, expected: number, value: string, onLost = () => {}): Promise<number> {
    const result = await writeDeferred(store, name, expected, value, onLost);
    if (!result.committed) throw new Error(`${name} is not at ${expected}`);
    return result.revision;
  }
});

describe('under load', () => {
  test('concurrent writes share transactions', async () => {
    let commits = 0;
    const failpoint = (point: string) => {
      if (point === 'before-commit') commits++;
    };
    await using((store) => Promise.all(countFrom(0, 500).map((i) => write(store, `p${i}`, 0, `${i}`))), { failpoint });
    expect(commits).toBeLessThan(10);
  });

  test('a long list gives way to other work and is true at one revision', async () => {
    await using(async (store) => {
      await Promise.all(countFrom(0, 20_000).map((i) => store.compareAndSet(pod(`p${i}`), 0, bytes(`${i}`))));
      let turns = 0;
      const revision = await store.revision();
      const listing = store.list(pods).finally(() => {
        turns = Number.NaN;
      });
      const other = async () => {
        while (!Number.isNaN(turns)) {
          turns++;
          await write(store, `late${turns}`, 0, 'late');
        }
      };
      const [page] = await Promise.all([listing, other()]);
      expect(page.revision).toBe(revision);
      expect(page.entries).toHaveLength(20_000);
      expect(await store.revision()).toBeGreaterThan(revision);
    });
  });

  test('closing settles what was asked for', async () => {
    const store = await openEmbeddedStore(directory);
    const writing = countFrom(0, 50).map((i) => write(store, `p${i}`, 0, `${i}`));
    const listing = store.list(pods);
    await store.close();
    expect(await Promise.all(writing)).toHaveLength(50);
    expect((await listing).revision).toBe(1);
    await using(async (next) => expect(await next.count(pods)).toBe(50));
  });

  test('a key that is too long is refused by name', async () => {
    await using(async (store) => {
      await expect(store.compareAndSet('x'.repeat(5000), 0, bytes('one'))).rejects.toThrow('a key has between 1 and');
      await write(store, 'a', 0, 'one');
    });
  });
});

async function using(work: (store: ExpiringStore) => Promise<unknown>, options: Parameters<typeof openEmbeddedStore>[1] = {}): Promise<void> {
  const store = await openEmbeddedStore(directory, options);
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

function journalPath(): string {
  return join(directory, 'writes.journal');
}

/** One record, as format 2 wrote it. */
function writeJournalOfFormat2(epoch: number, accepted: AcceptedWrite): void {
  const group = { writes: [accepted], settledLeases: [] };
  const file = Buffer.alloc(2 << 20);
  const length = lengthOfGroup(group);
  encodeGroup(group, file.subarray(16, 16 + length));
  revisionKey(epoch).copy(file);
  file.writeUInt32BE(length, 8);
  file.writeUInt32BE(crc32(file.subarray(16, 16 + length), crc32(file.subarray(0, 12))), 12);
  writeFileSync(journalPath(), file);
}

async function loggedRevisions(): Promise<number> {
  const engine = await openEngine(directory);
  try {
    return engine.tables.log.getCount();
  } finally {
    await engine.close();
  }
}

function runElsewhere(code: string): { stdout: string; signal: NodeJS.Signals | null } {
  const { stdout, signal, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code, directory], { encoding: 'utf8' });
  return { stdout: stdout || stderr, signal };
}

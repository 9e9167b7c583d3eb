// What every store promises, as one suite that every implementation runs.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExpiringStore } from '#store/expiry.ts';
import { type Change, CompactedError, FutureRevisionError, type KeyRange, type Revision, rangeOf, type WriteResult } from '#store/store.ts';

/** A clock that stands still until it is told to move on. */
export class StoppedClock {
  #now = Date.parse('2026-01-01T00:00:00Z');

  now(): Date {
    return new Date(this.#now);
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

const pods = rangeOf('/registry/pods/');

export function testStoreContract(name: string, open: (clock: StoppedClock) => Promise<ExpiringStore>): void {
  describe(`${name} keeps the store contract`, () => {
    let clock: StoppedClock;
    let store: ExpiringStore;

    beforeEach(async () => {
      clock = new StoppedClock();
      store = await open(clock);
    });
    afterEach(() => store.close());

    describe('writing', () => {
      test('a key can be created once', async () => {
        const first = await store.compareAndSet('/registry/pods/a', 0, bytes('one'));
        expect(first).toEqual({ committed: true, revision: 2 });
        const second = await store.compareAndSet('/registry/pods/a', 0, bytes('two'));
        expect(readable(second)).toEqual({ committed: false, current: { key: '/registry/pods/a', value: 'one', revision: 2 } });
      });

      test('a write at a stale revision is refused and tells what is there', async () => {
        const created = await write(store, 'a', 0, 'one');
        const updated = await write(store, 'a', created, 'two');
        const stale = await store.compareAndSet(pod('a'), created, bytes('three'));
        expect(readable(stale)).toEqual({ committed: false, current: { key: pod('a'), value: 'two', revision: updated } });
        expect(await valueOf(store, 'a')).toBe('two');
      });

      test('a write to a key that does not exist any more is refused', async () => {
        const created = await write(store, 'a', 0, 'one');
        await write(store, 'a', created, undefined);
        expect(await store.compareAndSet(pod('a'), created, bytes('two'))).toEqual({ committed: false, current: undefined });
      });

      test('deleting needs the current revision and leaves nothing', async () => {
        const created = await write(store, 'a', 0, 'one');
        expect((await store.compareAndSet(pod('a'), created + 1, undefined)).committed).toBe(false);
        expect((await store.compareAndSet(pod('a'), created, undefined)).committed).toBe(true);
        expect(await store.get(pod('a'))).toBeUndefined();
        expect(await store.count(pods)).toBe(0);
      });

      test('there is nothing to delete where there is nothing', async () => {
        expect(await store.compareAndSet(pod('a'), 0, undefined)).toEqual({ committed: false, current: undefined });
        expect(await store.revision()).toBe(1);
      });

      test('a deleted key can be created again', async () => {
        await write(store, 'a', await write(store, 'a', 0, 'one'), undefined);
        const again = await write(store, 'a', 0, 'two');
        expect(readable(await store.get(pod('a')))).toEqual({ key: pod('a'), value: 'two', revision: again });
      });

      test('revisions rise by every committed write and by nothing else', async () => {
        const revisions = [await store.revision()];
        revisions.push(await write(store, 'a', 0, 'one'));
        await store.compareAndSet(pod('a'), 0, bytes('refused'));
        revisions.push(await write(store, 'b', 0, 'one'));
        revisions.push(await write(store, 'a', revisions[1] as Revision, undefined));
        expect(revisions).toEqual([1, 2, 3, 4]);
        expect(await store.revision()).toBe(4);
      });

      test('an empty value is a value', async () => {
        await write(store, 'a', 0, '');
        expect(await valueOf(store, 'a')).toBe('');
        expect((await store.list(pods)).entries).toHaveLength(1);
      });

      test('large values survive', async () => {
        const large = new Uint8Array(1_500_000).map((_, i) => i % 251);
        await store.compareAndSet(pod('large'), 0, large);
        expect(Buffer.from((await store.get(pod('large')))?.value ?? []).equals(large)).toBe(true);
        expect(Buffer.from((await store.list(pods)).entries[0]?.value ?? []).equals(large)).toBe(true);
      });

      test('of many concurrent creations of one key one wins, and the others see the winner', async () => {
        const results = await Promise.all(Array.from({ length: 50 }, (_, i) => store.compareAndSet(pod('a'), 0, bytes(`writer ${i}`))));
        const won = results.filter((result) => result.committed);
        expect(won).toHaveLength(1);
        const entry = await store.get(pod('a'));
        for (const result of results) if (!result.committed) expect(readable(result.current)).toEqual(readable(entry));
      });

      test('concurrent read-compute-write loops lose no update', async () => {
        await write(store, 'counter', 0, '0');
        await Promise.all(Array.from({ length: 20 }, () => increment(store, 'counter', 10)));
        expect(await valueOf(store, 'counter')).toBe('200');
      });

      test('concurrent writers of different keys get revisions of their own', async () => {
        const results = await Promise.all(Array.from({ length: 200 }, (_, i) => write(store, `p${i}`, 0, `${i}`)));
        expect(new Set(results).size).toBe(200);
        expect(Math.max(...results)).toBe(await store.revision());
      });
    });

    describe('reading', () => {
      test('keys are listed in the byte order of their UTF-8 form', async () => {
        const names = ['b', 'a', 'a-b', 'a.b', 'a/b', 'Z', 'é', '\uff5e', '\u{1f600}', 'a0'];
        for (const name of names) await write(store, name, 0, name);
        const inByteOrder = [...names].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
        expect(keysOf((await store.list(pods)).entries)).toEqual(inByteOrder.map(pod));
        expect(inByteOrder.at(-1)).toBe('\u{1f600}');
      });

      test('a range holds its start and not its end', async () => {
        for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
        const page = await store.list({ start: pod('a'), end: pod('c') });
        expect(keysOf(page.entries)).toEqual([pod('a'), pod('b')]);
        expect(await store.count({ start: pod('a'), end: pod('c') })).toBe(2);
      });

      test('an empty or upside-down range holds nothing', async () => {
        await write(store, 'a', 0, 'one');
        for (const range of [
          { start: pod('a'), end: pod('a') },
          { start: pod('b'), end: pod('a') },
        ]) {
          expect((await store.list(range)).entries).toEqual([]);
          expect(await store.count(range)).toBe(0);
        }
      });

      test('neighbouring prefixes are kept apart', async () => {
        await store.compareAndSet('/registry/pods/a', 0, bytes('in'));
        await store.compareAndSet('/registry/podsets/a', 0, bytes('out'));
        await store.compareAndSet('/registry/pod', 0, bytes('out'));
        expect(keysOf((await store.list(pods)).entries)).toEqual(['/registry/pods/a']);
      });

      test('pages at one revision add up to the whole, whatever is written in between', async () => {
        for (let i = 0; i < 10; i++) await write(store, `p${i}`, 0, `${i}`);
        const first = await store.list(pods, { limit: 4 });
        expect(first.more).toBe(true);
        await write(store, 'p35', 0, 'too late');
        await write(store, 'p5', 7, undefined);
        await write(store, 'p6', 8, 'changed');
        const rest = await store.list({ start: `${first.entries.at(-1)?.key}\0`, end: pods.end }, { at: first.revision });
        expect(rest.more).toBe(false);
        expect([...first.entries, ...rest.entries].map(({ value }) => text(value))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
      });

      test('a limit that is just enough leaves no more', async () => {
        for (const name of ['a', 'b']) await write(store, name, 0, name);
        expect((await store.list(pods, { limit: 2 })).more).toBe(false);
        expect((await store.list(pods, { limit: 1 })).more).toBe(true);
      });

      test('a list says at which revision it is true', async () => {
        await write(store, 'a', 0, 'one');
        const page = await store.list(rangeOf('/nothing/here/'));
        expect(page).toEqual({ entries: [], revision: 2, more: false });
      });

      test('every revision that was can be read and listed', async () => {
        const created = await write(store, 'a', 0, 'one');
        const updated = await write(store, 'a', created, 'two');
        const other = await write(store, 'b', 0, 'three');
        const deleted = await write(store, 'a', updated, undefined);
        const recreated = await write(store, 'a', 0, 'four');
        const expected: [Revision, string][] = [
          [1, ''],
          [created, 'a=one'],
          [updated, 'a=two'],
          [other, 'a=two b=three'],
          [deleted, 'b=three'],
          [recreated, 'a=four b=three'],
        ];
        for (const [at, state] of expected) {
          expect(await stateAt(store, at)).toBe(state);
          const a = await store.get(pod('a'), { at });
          expect(a && text(a.value)).toBe(/a=(\w+)/.exec(state)?.[1]);
        }
      });

      test('an entry read at an old revision carries the revision of its own write', async () => {
        const created = await write(store, 'a', 0, 'one');
        const other = await write(store, 'b', 0, 'two');
        await write(store, 'a', created, 'three');
        expect((await store.get(pod('a'), { at: other }))?.revision).toBe(created);
        expect((await store.list(pods, { at: other })).entries.map(({ revision }) => revision)).toEqual([created, other]);
      });

      test('the future cannot be read', async () => {
        await expect(store.get(pod('a'), { at: 2 })).rejects.toThrow(FutureRevisionError);
        await expect(store.list(pods, { at: 2 })).rejects.toThrow(FutureRevisionError);
      });
    });

    describe('compaction', () => {
      test('what was before cannot be read any more, what is there can', async () => {
        const created = await write(store, 'a', 0, 'one');
        const updated = await write(store, 'a', created, 'two');
        await write(store, 'b', 0, 'three');
        await store.compact(updated);
        await expect(store.get(pod('a'), { at: created })).rejects.toThrow(CompactedError);
        await expect(store.list(pods, { at: created })).rejects.toThrow(CompactedError);
        expect(await stateAt(store, updated)).toBe('a=two');
        expect(await stateAt(store, await store.revision())).toBe('a=two b=three');
      });

      test('the error says from where history is kept', async () => {
        for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
        await store.compact(3);
        await expect(store.get(pod('a'), { at: 2 })).rejects.toMatchObject({ compactedAt: 3 });
      });

      test('compacting everything keeps the latest state and the revision', async () => {
        const created = await write(store, 'a', 0, 'one');
        await write(store, 'b', 0, 'two');
        await write(store, 'a', created, undefined);
        const revision = await store.revision();
        await store.compact(revision);
        expect(await stateAt(store, revision)).toBe('b=two');
        expect(await store.revision()).toBe(revision);
        expect(await write(store, 'a', 0, 'three')).toBe(revision + 1);
      });

      test('a value that was current at the compacted revision stays readable there', async () => {
        const created = await write(store, 'a', 0, 'one');
        await store.compact(created);
        const updated = await write(store, 'a', created, 'two');
        await write(store, 'a', updated, undefined);
        expect(await stateAt(store, created)).toBe('a=one');
        await store.compact(updated);
        expect(await stateAt(store, updated)).toBe('a=two');
      });

      test('compacting twice or backwards does nothing', async () => {
        for (const name of ['a', 'b']) await write(store, name, 0, name);
        await store.compact(3);
        await store.compact(2);
        await store.compact(3);
        expect(await stateAt(store, 3)).toBe('a=a b=b');
      });

      test('the future cannot be compacted', async () => {
        await expect(store.compact(2)).rejects.toThrow(FutureRevisionError);
      });

      test('writes and compactions do not disturb each other', async () => {
        const writers = Array.from({ length: 8 }, async (_, w) => {
          let revision = 0;
          for (let i = 0; i < 20; i++) revision = await write(store, `w${w}`, revision, `${i}`);
        });
        const compactor = (async () => {
          for (let i = 0; i < 10; i++) await store.compact(await store.revision());
        })();
        await Promise.all([...writers, compactor]);
        expect(await stateAt(store, await store.revision())).toBe('w0=19 w1=19 w2=19 w3=19 w4=19 w5=19 w6=19 w7=19');
      });
    });

    describe('watching', () => {
      let stop: AbortController;
      let signal: AbortSignal;

      beforeEach(() => {
        stop = new AbortController();
        signal = stop.signal;
      });
      afterEach(() => stop.abort());

      test('changes after now arrive in order with what was there before', async () => {
        await write(store, 'old', 0, 'old');
        const changes = collect(store.watch(pods, await store.revision(), signal), 3);
        const created = await write(store, 'a', 0, 'one');
        const updated = await write(store, 'a', created, 'two');
        await write(store, 'a', updated, undefined);
        expect((await changes).map(told)).toEqual(['3 a: - > one', '4 a: one@3 > two', '5 a: two@4 > -']);
      });

      test('changes after an old revision are told again', async () => {
        const created = await write(store, 'a', 0, 'one');
        const updated = await write(store, 'a', created, 'two');
        await write(store, 'b', 0, 'three');
        await write(store, 'a', updated, undefined);
        expect((await collect(store.watch(pods, created, signal), 3)).map(told)).toEqual(['3 a: one@2 > two', '4 b: - > three', '5 a: two@3 > -']);
      });

      test('a key that was deleted and created again has no previous value', async () => {
        await write(store, 'a', await write(store, 'a', 0, 'one'), undefined);
        await write(store, 'a', 0, 'two');
        expect((await collect(store.watch(pods, 3, signal), 1)).map(told)).toEqual(['4 a: - > two']);
      });

      test('replay goes over into live without gap or duplicate while writers go on', async () => {
        const total = 400;
        const writing = Promise.all(Array.from({ length: 8 }, (_, w) => writeMany(store, `w${w}-`, total / 8)));
        const watches = [];
        for (let i = 0; i < 5; i++) {
          watches.push(collect(store.watch(pods, 1, signal), total));
          await nextTurn();
        }
        await writing;
        for (const watch of watches) expect((await watch).map(({ revision }) => revision)).toEqual(countFrom(2, total));
      });

      test('a watch can be taken up again after every change', async () => {
        let revision = 0;
        for (let i = 0; i < 10; i++) revision = await write(store, 'a', revision, `${i}`);
        for (let after = 1; after < 11; after++) {
          const changes = await collect(store.watch(pods, after, signal), 11 - after);
          expect(changes.map((change) => change.revision)).toEqual(countFrom(after + 1, 11 - after));
        }
      });

      test('only the range is told', async () => {
        const range = { start: pod('b'), end: pod('d') };
        const live = collect(store.watch(range, 1, signal), 2);
        for (const name of ['a', 'b', 'c', 'd']) await write(store, name, 0, name);
        expect((await live).map(({ key }) => key)).toEqual([pod('b'), pod('c')]);
        expect((await collect(store.watch(range, 1, signal), 2)).map(({ key }) => key)).toEqual([pod('b'), pod('c')]);
      });

      test('overlapping watches each get their part', async () => {
        const ranges: KeyRange[] = [pods, { start: pod('b'), end: pod('c') }, { start: pod('a'), end: pod('c') }, rangeOf('/other/')];
        const seen: string[][] = ranges.map(() => []);
        const running = ranges.map((range, i) => each(store.watch(range, 1, signal), (change) => seen[i]?.push(change.key.slice(-1))));
        for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
        await store.close();
        await Promise.all(running);
        expect(seen).toEqual([['a', 'b', 'c'], ['b'], ['a', 'b'], []]);
      });

      test('a change is told at the latest in the turn in which its write resolves', async () => {
        const order: string[] = [];
        const watching = each(store.watch(pods, 1, signal), (change) => order.push(`told ${change.revision}`));
        await nextTurn();
        await Promise.all(
          ['a', 'b', 'c'].map(async (name) => {
            const revision = await write(store, name, 0, name);
            await nextTurn();
            order.push(`written ${revision}`);
          }),
        );
        for (const revision of [2, 3, 4]) expect(order.indexOf(`told ${revision}`)).toBeLessThan(order.indexOf(`written ${revision}`));
        await store.close();
        await watching;
      });

      test('what a change says can be read when it arrives', async () => {
        let checked = 0;
        const watching = each(store.watch(pods, 1, signal), async (change) => {
          expect(await store.revision()).toBeGreaterThanOrEqual(change.revision);
          expect((await store.get(change.key, { at: change.revision }))?.revision).toBe(change.revision);
          checked++;
        });
        await writeMany(store, 'p', 20);
        await until(() => checked === 20);
        await store.close();
        await watching;
      });

      test('a watch from the future waits for it', async () => {
        const changes = collect(store.watch(pods, 3, signal), 1);
        for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
        expect((await changes).map(told)).toEqual(['4 c: - > c']);
      });

      test('a watch from compacted history fails, one from where it begins does not', async () => {
        for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
        await store.compact(3);
        await expect(collect(store.watch(pods, 2, signal), 1)).rejects.toThrow(CompactedError);
        expect((await collect(store.watch(pods, 3, signal), 1)).map(told)).toEqual(['4 c: - > c']);
      });

      test('compaction does not disturb a watch that is up to date', async () => {
        const changes = collect(store.watch(pods, 1, signal), 20);
        for (let i = 0; i < 20; i++) {
          await write(store, `p${i}`, 0, `${i}`);
          await store.compact(await store.revision());
        }
        expect((await changes).map(({ revision }) => revision)).toEqual(countFrom(2, 20));
      });

      test('a previous value outlives the compaction of its own revision', async () => {
        const created = await write(store, 'a', 0, 'one');
        await store.compact(created);
        await write(store, 'a', created, 'two');
        expect((await collect(store.watch(pods, created, signal), 1)).map(told)).toEqual(['3 a: one@2 > two']);
      });

      test('a watch that nobody reads loses nothing', async () => {
        const iterator = store.watch(pods, 1, signal)[Symbol.asyncIterator]();
        const first = iterator.next();
        await write(store, 'first', 0, 'first');
        await first;
        await writeMany(store, 'p', 300);
        const rest = await collect({ [Symbol.asyncIterator]: () => iterator }, 300);
        expect(rest.map(({ revision }) => revision)).toEqual(countFrom(3, 300));
      });

      test('an aborted watch ends', async () => {
        const end = new AbortController();
        const watching = each(store.watch(pods, 1, end.signal), () => undefined);
        end.abort();
        await watching;
        await each(store.watch(pods, 1, end.signal), () => undefined);
      });

      test('closing the store ends its watches', async () => {
        const watching = [each(store.watch(pods, 1, signal), () => undefined), each(store.watch(pods, 99, signal), () => undefined)];
        await store.close();
        await Promise.all(watching);
      });
    });

    describe('time to live', () => {
      test('a key goes away when its time is up, as a deletion like any other', async () => {
        const { signal } = new AbortController();
        await store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 });
        clock.advance(59);
        await store.expireDue();
        expect(await valueOf(store, 'a')).toBe('one');
        clock.advance(2);
        await store.expireDue();
        expect(await store.get(pod('a'))).toBeUndefined();
        expect((await collect(store.watch(pods, 1, signal), 2)).map(told)).toEqual(['2 a: - > one', '3 a: one@2 > -']);
      });

      test('a later write decides anew how long the key lives', async () => {
        const { revision: a } = (await store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 })) as { revision: Revision };
        const { revision: b } = (await store.compareAndSet(pod('b'), 0, bytes('one'), { ttlSeconds: 60 })) as { revision: Revision };
        await store.compareAndSet(pod('a'), a, bytes('for ever'));
        await store.compareAndSet(pod('b'), b, bytes('longer'), { ttlSeconds: 120 });
        clock.advance(61);
        await store.expireDue();
        expect(await stateAt(store, await store.revision())).toBe('a=for ever b=longer');
        clock.advance(60);
        await store.expireDue();
        expect(await stateAt(store, await store.revision())).toBe('a=for ever');
      });

      test('a key that was deleted and created again does not inherit a deadline', async () => {
        const { revision } = (await store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 })) as { revision: Revision };
        await write(store, 'a', revision, undefined);
        await write(store, 'a', 0, 'two');
        clock.advance(61);
        await store.expireDue();
        expect(await valueOf(store, 'a')).toBe('two');
      });

      test('many keys can be due at once', async () => {
        await Promise.all(countFrom(0, 300).map((i) => store.compareAndSet(pod(`p${i}`), 0, bytes('x'), { ttlSeconds: 1 + (i % 3) })));
        await write(store, 'stays', 0, 'here');
        clock.advance(10);
        await store.expireDue();
        expect(await stateAt(store, await store.revision())).toBe('stays=here');
        expect(await store.revision()).toBe(602);
      });
    });

    test('a closed store refuses everything and can be closed again', async () => {
      await store.close();
      await store.close();
      await expect(store.get(pod('a'))).rejects.toThrow('closed');
      await expect(store.compareAndSet(pod('a'), 0, bytes('one'))).rejects.toThrow('closed');
    });
  });
}

export function bytes(value: string): Uint8Array {
  return Buffer.from(value);
}

function text(value: Uint8Array): string {
  return Buffer.from(value).toString();
}

function pod(name: string): string {
  return pods.start + name;
}

/** A write that must succeed. */
async function write(store: ExpiringStore, name: string, expected: Revision, value: string | undefined): Promise<Revision> {
  const result = await store.compareAndSet(pod(name), expected, value === undefined ? undefined : bytes(value));
  if (!result.committed) throw new Error(`${name} is not at ${expected} but at ${result.current?.revision ?? 0}`);
  return result.revision;
}

async function writeMany(store: ExpiringStore, prefix: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await write(store, `${prefix}${i}`, 0, `${i}`);
}

async function increment(store: ExpiringStore, name: string, times: number): Promise<void> {
  for (let done = 0; done < times; ) {
    const entry = await store.get(pod(name));
    const next = bytes(`${Number(text(entry?.value ?? bytes('NaN'))) + 1}`);
    if ((await store.compareAndSet(pod(name), entry?.revision ?? 0, next)).committed) done++;
  }
}

async function valueOf(store: ExpiringStore, name: string): Promise<string | undefined> {
  const entry = await store.get(pod(name));
  return entry && text(entry.value);
}

async function stateAt(store: ExpiringStore, at: Revision): Promise<string> {
  const { entries } = await store.list(pods, { at });
  return entries.map(({ key, value }) => `${key.slice(pods.start.length)}=${text(value)}`).join(' ');
}

function readable(result: WriteResult | { key: string; value: Uint8Array; revision: Revision } | undefined): unknown {
  if (result === undefined) return undefined;
  if ('key' in result) return { ...result, value: text(result.value) };
  return result.committed ? result : { ...result, current: readable(result.current) };
}

function keysOf(entries: readonly { readonly key: string }[]): string[] {
  return entries.map(({ key }) => key);
}

/** "revision key: previous@revision > value" */
function told({ key, revision, value, previous }: Change): string {
  const before = previous === undefined ? '-' : `${text(previous.value)}@${previous.revision}`;
  return `${revision} ${key.slice(pods.start.length)}: ${before} > ${value === undefined ? '-' : text(value)}`;
}

async function collect(batches: AsyncIterable<readonly Change[]>, count: number): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const batch of batches) {
    expect(batch.length).toBeGreaterThan(0);
    changes.push(...batch);
    if (changes.length >= count) break;
  }
  return changes;
}

async function each(batches: AsyncIterable<readonly Change[]>, visit: (change: Change) => unknown): Promise<void> {
  for await (const batch of batches) for (const change of batch) await visit(change);
}

function countFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

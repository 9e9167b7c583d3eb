// The store contract: reading and watching.
import { expect } from 'vitest';
import { CompactedError, FutureRevisionError, type KeyRange, type Revision, rangeOf } from '#store/store.ts';
import {
  bytes,
  type ContractTest,
  collect,
  countFrom,
  each,
  keysOf,
  pod,
  pods,
  stateAt,
  text,
  told,
  until,
  write,
  writeMany,
} from '#store/store-contract-support.ts';
import { nextTurn } from '#base/next-turn.ts';

export function listing(test: ContractTest): void {
  test('keys are listed in the byte order of their UTF-8 form', async ({ store }) => {
    const names = ['b', 'a', 'a-b', 'a.b', 'a/b', 'Z', 'é', '\uff5e', '\u{1f600}', 'a0'];
    for (const name of names) await write(store, name, 0, name);
    const inByteOrder = [...names].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    expect(keysOf((await store.list(pods)).entries)).toEqual(inByteOrder.map(pod));
    expect(inByteOrder.at(-1)).toBe('\u{1f600}');
  });

  test('a range holds its start and not its end', async ({ store }) => {
    for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
    const page = await store.list({ start: pod('a'), end: pod('c') });
    expect(keysOf(page.entries)).toEqual([pod('a'), pod('b')]);
    expect(await store.count({ start: pod('a'), end: pod('c') })).toBe(2);
  });

  test('an empty or upside-down range holds nothing', async ({ store }) => {
    await write(store, 'a', 0, 'one');
    for (const range of [
      { start: pod('a'), end: pod('a') },
      { start: pod('b'), end: pod('a') },
    ]) {
      expect((await store.list(range)).entries).toEqual([]);
      expect(await store.count(range)).toBe(0);
    }
  });

  test('keys are told with the revisions of their values, in order, without those that are gone', async ({ store }) => {
    const [b, a] = [await write(store, 'b', 0, 'one'), await write(store, 'a', 0, 'two')];
    const gone = await write(store, 'c', 0, 'three');
    await write(store, 'c', gone, undefined);
    const changed = await write(store, 'b', b, 'four');
    await store.compareAndSet('/registry/podsets/a', 0, bytes('out'));
    const page = await store.keys(pods);
    expect(page.keys.map(({ key, revision }) => [key, revision])).toEqual([
      [pod('a'), a],
      [pod('b'), changed],
    ]);
    expect(page.revision).toBe(await store.revision());
    expect((await store.keys({ start: pod('b'), end: pod('a') })).keys).toEqual([]);
  });

  test('the latest value is there, at once where the store is in this process', async ({ store }) => {
    const first = await write(store, 'a', 0, 'one');
    const second = await write(store, 'a', first, 'two');
    const read = () => (store.atOnce ?? store).get(pod('a'));
    const entry = await read();
    expect([text(entry?.value ?? bytes('')), entry?.revision]).toEqual(['two', second]);
    await write(store, 'a', second, undefined);
    expect(await read()).toBeUndefined();
  });

  test('neighbouring prefixes are kept apart', async ({ store }) => {
    await store.compareAndSet('/registry/pods/a', 0, bytes('in'));
    await store.compareAndSet('/registry/podsets/a', 0, bytes('out'));
    await store.compareAndSet('/registry/pod', 0, bytes('out'));
    expect(keysOf((await store.list(pods)).entries)).toEqual(['/registry/pods/a']);
  });
}

export function visiting(test: ContractTest): void {
  test('everything in a range is visited once, as it was when the visit began', async ({ store, signal }) => {
    await writeMany(store, 'p', 300);
    await write(store, 'p7', 9, undefined);
    await store.compareAndSet('/registry/podsets/a', 0, bytes('out'));
    const seen = new Map<string, string>();
    let at = 0;
    let late: Promise<unknown> | undefined;
    await store.visitAll(
      pods,
      (revision) => {
        at = revision;
        late = write(store, 'late', 0, 'late');
        return ({ key, value }) => seen.set(key, text(value));
      },
      signal,
    );
    await late;
    expect(at).toBe(303);
    expect([seen.size, seen.get(pod('p0')), seen.has(pod('p7')), seen.has(pod('late'))]).toEqual([299, '0', false, false]);
  });
}

export function readingHistory(test: ContractTest): void {
  test('pages at one revision add up to the whole, whatever is written in between', async ({ store }) => {
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

  test('a limit that is just enough leaves no more', async ({ store }) => {
    for (const name of ['a', 'b']) await write(store, name, 0, name);
    expect((await store.list(pods, { limit: 2 })).more).toBe(false);
    expect((await store.list(pods, { limit: 1 })).more).toBe(true);
  });

  test('a list says at which revision it is true', async ({ store }) => {
    await write(store, 'a', 0, 'one');
    const page = await store.list(rangeOf('/nothing/here/'));
    expect(page).toEqual({ entries: [], revision: 2, more: false });
  });

  test('every revision that was can be read and listed', async ({ store }) => {
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

  test('an entry read at an old revision carries the revision of its own write', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    const other = await write(store, 'b', 0, 'two');
    await write(store, 'a', created, 'three');
    expect((await store.get(pod('a'), { at: other }))?.revision).toBe(created);
    expect((await store.list(pods, { at: other })).entries.map(({ revision }) => revision)).toEqual([created, other]);
  });

  test('the future cannot be read', async ({ store }) => {
    await expect(store.get(pod('a'), { at: 2 })).rejects.toThrow(FutureRevisionError);
    await expect(store.list(pods, { at: 2 })).rejects.toThrow(FutureRevisionError);
  });
}

export function watchingOn(test: ContractTest): void {
  test('changes after now arrive in order with what was there before', async ({ store, signal }) => {
    await write(store, 'old', 0, 'old');
    const changes = collect(store.watch(pods, await store.revision(), signal), 3);
    const created = await write(store, 'a', 0, 'one');
    const updated = await write(store, 'a', created, 'two');
    await write(store, 'a', updated, undefined);
    expect((await changes).map(told)).toEqual(['3 a: - > one', '4 a: one@3 > two', '5 a: two@4 > -']);
  });

  test('changes after an old revision are told again', async ({ store, signal }) => {
    const created = await write(store, 'a', 0, 'one');
    const updated = await write(store, 'a', created, 'two');
    await write(store, 'b', 0, 'three');
    await write(store, 'a', updated, undefined);
    expect((await collect(store.watch(pods, created, signal), 3)).map(told)).toEqual(['3 a: one@2 > two', '4 b: - > three', '5 a: two@3 > -']);
  });

  test('a key that was deleted and created again has no previous value', async ({ store, signal }) => {
    await write(store, 'a', await write(store, 'a', 0, 'one'), undefined);
    await write(store, 'a', 0, 'two');
    expect((await collect(store.watch(pods, 3, signal), 1)).map(told)).toEqual(['4 a: - > two']);
  });

  test('replay goes over into live without gap or duplicate while writers go on', async ({ store, signal }) => {
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

  test('a watch can be taken up again after every change', async ({ store, signal }) => {
    let revision = 0;
    for (let i = 0; i < 10; i++) revision = await write(store, 'a', revision, `${i}`);
    for (let after = 1; after < 11; after++) {
      const changes = await collect(store.watch(pods, after, signal), 11 - after);
      expect(changes.map((change) => change.revision)).toEqual(countFrom(after + 1, 11 - after));
    }
  });
}

export function watchingTogether(test: ContractTest): void {
  test('only the range is told', async ({ store, signal }) => {
    const range = { start: pod('b'), end: pod('d') };
    const live = collect(store.watch(range, 1, signal), 2);
    for (const name of ['a', 'b', 'c', 'd']) await write(store, name, 0, name);
    expect((await live).map(({ key }) => key)).toEqual([pod('b'), pod('c')]);
    expect((await collect(store.watch(range, 1, signal), 2)).map(({ key }) => key)).toEqual([pod('b'), pod('c')]);
  });

  test('overlapping watches each get their part', async ({ store, signal }) => {
    const ranges: KeyRange[] = [pods, { start: pod('b'), end: pod('c') }, { start: pod('a'), end: pod('c') }, rangeOf('/other/')];
    const seen: string[][] = ranges.map(() => []);
    const running = ranges.map((range, i) => each(store.watch(range, 1, signal), (change) => seen[i]?.push(change.key.slice(-1))));
    for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
    await store.close();
    await Promise.all(running);
    expect(seen).toEqual([['a', 'b', 'c'], ['b'], ['a', 'b'], []]);
  });

  test('a change is told at the latest in the turn in which its write resolves', async ({ store, signal }) => {
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

  test('what a change says can be read when it arrives', async ({ store, signal }) => {
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

  test('a watch learns how far the store has come, also when nothing in its range was written', async ({ store, signal }) => {
    const narrow = store.watch(rangeOf('/other/'), 1, signal)[Symbol.asyncIterator]();
    const first = narrow.next();
    const revision = await write(store, 'a', 0, 'one');
    expect((await first).value).toEqual({ changes: [], revision });
    const later = await write(store, 'b', 0, 'two');
    await write(store, 'b', later, undefined);
    expect((await narrow.next()).value).toEqual({ changes: [], revision: later + 1 });
    const late = store.watch(rangeOf('/other/'), 1, signal)[Symbol.asyncIterator]();
    expect((await late.next()).value).toEqual({ changes: [], revision: later + 1 });
  });

  test('a watch from the future waits for it', async ({ store, signal }) => {
    const changes = collect(store.watch(pods, 3, signal), 1);
    for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
    expect((await changes).map(told)).toEqual(['4 c: - > c']);
  });
}

export function watchingCompacted(test: ContractTest): void {
  test('a watch from compacted history fails, one from where it begins does not', async ({ store, signal }) => {
    for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
    await store.compact(3);
    await expect(collect(store.watch(pods, 2, signal), 1)).rejects.toThrow(CompactedError);
    expect((await collect(store.watch(pods, 3, signal), 1)).map(told)).toEqual(['4 c: - > c']);
  });

  test('compaction does not disturb a watch that is up to date', async ({ store, signal }) => {
    const changes = collect(store.watch(pods, 1, signal), 20);
    for (let i = 0; i < 20; i++) {
      await write(store, `p${i}`, 0, `${i}`);
      await store.compact(await store.revision());
    }
    expect((await changes).map(({ revision }) => revision)).toEqual(countFrom(2, 20));
  });

  test('a previous value outlives the compaction of its own revision', async ({ store, signal }) => {
    const created = await write(store, 'a', 0, 'one');
    await store.compact(created);
    await write(store, 'a', created, 'two');
    expect((await collect(store.watch(pods, created, signal), 1)).map(told)).toEqual(['3 a: one@2 > two']);
  });
}

export function endingWatches(test: ContractTest): void {
  test('a watch that nobody reads loses nothing', async ({ store, signal }) => {
    const iterator = store.watch(pods, 1, signal)[Symbol.asyncIterator]();
    const first = iterator.next();
    await write(store, 'first', 0, 'first');
    await first;
    await writeMany(store, 'p', 300);
    const rest = await collect({ [Symbol.asyncIterator]: () => iterator }, 300);
    expect(rest.map(({ revision }) => revision)).toEqual(countFrom(3, 300));
  });

  test('an aborted watch ends', async ({ store }) => {
    const end = new AbortController();
    const watching = each(store.watch(pods, 1, end.signal), () => undefined);
    end.abort();
    await watching;
    await each(store.watch(pods, 1, end.signal), () => undefined);
  });

  test('closing the store ends its watches', async ({ store, signal }) => {
    const watching = [each(store.watch(pods, 1, signal), () => undefined), each(store.watch(pods, 99, signal), () => undefined)];
    await store.close();
    await Promise.all(watching);
  });
}

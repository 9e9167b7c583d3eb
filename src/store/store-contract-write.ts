// The store contract: writing, compaction, time to live.
import { expect } from 'vitest';
import { CompactedError, FutureRevisionError, type Revision } from '#store/store.ts';
import {
  bytes,
  type ContractTest,
  collect,
  countFrom,
  increment,
  pod,
  pods,
  readable,
  stateAt,
  told,
  valueOf,
  write,
  writeDeferred,
} from '#store/store-contract-support.ts';

export function writingAlone(test: ContractTest): void {
  test('a key can be created once', async ({ store }) => {
    const first = await store.compareAndSet('/registry/pods/a', 0, bytes('one'));
    expect(first).toEqual({ committed: true, revision: 2 });
    const second = await store.compareAndSet('/registry/pods/a', 0, bytes('two'));
    expect(readable(second)).toEqual({ committed: false, current: { key: '/registry/pods/a', value: 'one', revision: 2 } });
  });

  test('a write at a stale revision is refused and tells what is there', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    const updated = await write(store, 'a', created, 'two');
    const stale = await store.compareAndSet(pod('a'), created, bytes('three'));
    expect(readable(stale)).toEqual({ committed: false, current: { key: pod('a'), value: 'two', revision: updated } });
    expect(await valueOf(store, 'a')).toBe('two');
  });

  test('a write to a key that does not exist any more is refused', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    await write(store, 'a', created, undefined);
    expect(await store.compareAndSet(pod('a'), created, bytes('two'))).toEqual({ committed: false, current: undefined });
  });

  test('deleting needs the current revision and leaves nothing', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    expect((await store.compareAndSet(pod('a'), created + 1, undefined)).committed).toBe(false);
    expect((await store.compareAndSet(pod('a'), created, undefined)).committed).toBe(true);
    expect(await store.get(pod('a'))).toBeUndefined();
    expect(await store.count(pods)).toBe(0);
  });

  test('there is nothing to delete where there is nothing', async ({ store }) => {
    expect(await store.compareAndSet(pod('a'), 0, undefined)).toEqual({ committed: false, current: undefined });
    expect(await store.revision()).toBe(1);
  });

  test('a deleted key can be created again', async ({ store }) => {
    await write(store, 'a', await write(store, 'a', 0, 'one'), undefined);
    const again = await write(store, 'a', 0, 'two');
    expect(readable(await store.get(pod('a')))).toEqual({ key: pod('a'), value: 'two', revision: again });
  });

  test('revisions rise by every committed write and by nothing else', async ({ store }) => {
    const revisions = [await store.revision()];
    revisions.push(await write(store, 'a', 0, 'one'));
    await store.compareAndSet(pod('a'), 0, bytes('refused'));
    revisions.push(await write(store, 'b', 0, 'one'));
    revisions.push(await write(store, 'a', revisions[1] as Revision, undefined));
    expect(revisions).toEqual([1, 2, 3, 4]);
    expect(await store.revision()).toBe(4);
  });

  test('an empty value is a value', async ({ store }) => {
    await write(store, 'a', 0, '');
    expect(await valueOf(store, 'a')).toBe('');
    expect((await store.list(pods)).entries).toHaveLength(1);
  });

  test('large values survive', async ({ store }) => {
    const large = new Uint8Array(1_500_000).map((_, i) => i % 251);
    await store.compareAndSet(pod('large'), 0, large);
    expect(Buffer.from((await store.get(pod('large')))?.value ?? []).equals(large)).toBe(true);
    expect(Buffer.from((await store.list(pods)).entries[0]?.value ?? []).equals(large)).toBe(true);
  });
}

export function writingTogether(test: ContractTest): void {
  test('of many concurrent creations of one key one wins, and the others see the winner', async ({ store }) => {
    const results = await Promise.all(Array.from({ length: 50 }, (_, i) => store.compareAndSet(pod('a'), 0, bytes(`writer ${i}`))));
    const won = results.filter((result) => result.committed);
    expect(won).toHaveLength(1);
    const entry = await store.get(pod('a'));
    for (const result of results) if (!result.committed) expect(readable(result.current)).toEqual(readable(entry));
  });

  test('concurrent read-compute-write loops lose no update', async ({ store }) => {
    await write(store, 'counter', 0, '0');
    await Promise.all(Array.from({ length: 20 }, () => increment(store, 'counter', 10)));
    expect(await valueOf(store, 'counter')).toBe('200');
  });

  test('concurrent writers of different keys get revisions of their own', async ({ store }) => {
    const results = await Promise.all(Array.from({ length: 200 }, (_, i) => write(store, `p${i}`, 0, `${i}`)));
    expect(new Set(results).size).toBe(200);
    expect(Math.max(...results)).toBe(await store.revision());
  });
}

export function writingDeferred(test: ContractTest): void {
  test('a deferred write is there, and first, when a later write is there', async ({ store, signal }) => {
    const created = await write(store, 'a', 0, 'one');
    const changes = collect(store.watch(pods, created, signal), 2);
    const first = await writeDeferred(store, 'a', created, 'two');
    const later = await write(store, 'b', 0, 'three');
    expect(first).toEqual({ committed: true, revision: created + 1 });
    expect(await stateAt(store, later)).toBe('a=two b=three');
    expect((await changes).map(told)).toEqual(['3 a: one@2 > two', '4 b: - > three']);
  });

  test('a deferred write at a stale revision is refused and tells what is there', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    const updated = await write(store, 'a', created, 'two');
    const stale = await writeDeferred(store, 'a', created, 'three');
    expect(readable(stale)).toEqual({ committed: false, current: { key: pod('a'), value: 'two', revision: updated } });
  });

  test('deferred writes follow each other, and an ordinary write follows them', async ({ store }) => {
    let at = await write(store, 'a', 0, '0');
    for (const value of ['1', '2', '3']) {
      const result = await writeDeferred(store, 'a', at, value);
      if (result.committed) at = result.revision;
    }
    expect(await write(store, 'a', at, '4')).toBeGreaterThan(at);
    expect(await valueOf(store, 'a')).toBe('4');
  });

  test('a writer that did not see a deferred write is refused, and sees it', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    const first = writeDeferred(store, 'a', created, 'ahead');
    const second = store.compareAndSet(pod('a'), created, bytes('behind'));
    const third = writeDeferred(store, 'a', created, 'behind, ahead');
    expect(await first).toEqual({ committed: true, revision: created + 1 });
    const refused = { committed: false, current: { key: pod('a'), value: 'ahead', revision: created + 1 } };
    expect([readable(await second), readable(await third)]).toEqual([refused, refused]);
  });

  test('read-compute-write loops, deferred or not, lose no update', async ({ store }) => {
    await write(store, 'counter', 0, '0');
    await Promise.all(Array.from({ length: 20 }, (_, i) => increment(store, 'counter', 10, i % 2 === 0 ? writeDeferred : undefined)));
    await write(store, 'last', 0, '');
    expect(await valueOf(store, 'counter')).toBe('200');
  });
}

export function compacting(test: ContractTest): void {
  test('what was before cannot be read any more, what is there can', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    const updated = await write(store, 'a', created, 'two');
    await write(store, 'b', 0, 'three');
    await store.compact(updated);
    await expect(store.get(pod('a'), { at: created })).rejects.toThrow(CompactedError);
    await expect(store.list(pods, { at: created })).rejects.toThrow(CompactedError);
    expect(await stateAt(store, updated)).toBe('a=two');
    expect(await stateAt(store, await store.revision())).toBe('a=two b=three');
  });

  test('the error says from where history is kept', async ({ store }) => {
    for (const name of ['a', 'b', 'c']) await write(store, name, 0, name);
    await store.compact(3);
    await expect(store.get(pod('a'), { at: 2 })).rejects.toMatchObject({ compactedAt: 3 });
  });

  test('compacting everything keeps the latest state and the revision', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    await write(store, 'b', 0, 'two');
    await write(store, 'a', created, undefined);
    const revision = await store.revision();
    await store.compact(revision);
    expect(await stateAt(store, revision)).toBe('b=two');
    expect(await store.revision()).toBe(revision);
    expect(await write(store, 'a', 0, 'three')).toBe(revision + 1);
  });

  test('a value that was current at the compacted revision stays readable there', async ({ store }) => {
    const created = await write(store, 'a', 0, 'one');
    await store.compact(created);
    const updated = await write(store, 'a', created, 'two');
    await write(store, 'a', updated, undefined);
    expect(await stateAt(store, created)).toBe('a=one');
    await store.compact(updated);
    expect(await stateAt(store, updated)).toBe('a=two');
  });

  test('compacting twice or backwards does nothing', async ({ store }) => {
    for (const name of ['a', 'b']) await write(store, name, 0, name);
    await store.compact(3);
    await store.compact(2);
    await store.compact(3);
    expect(await stateAt(store, 3)).toBe('a=a b=b');
  });

  test('the future cannot be compacted', async ({ store }) => {
    await expect(store.compact(2)).rejects.toThrow(FutureRevisionError);
  });

  test('the line may be moved on while what lies before it is being removed', async ({ store }) => {
    let revision = 0;
    for (let i = 0; i < 700; i++) revision = await write(store, 'a', revision, `${i}`);
    await Promise.all([store.compact(300), store.compact(600), store.compact(450)]);
    await expect(store.get(pod('a'), { at: 599 })).rejects.toMatchObject({ compactedAt: 600 });
    expect(await stateAt(store, 600)).toBe('a=598');
    expect(await stateAt(store, revision)).toBe('a=699');
  });

  test('writes that succeed leave no write error', async ({ store }) => {
    await write(store, 'a', 0, 'one');
    expect(store.writeError()).toBeUndefined();
  });

  test('writes and compactions do not disturb each other', async ({ store }) => {
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
}

export function expiring(test: ContractTest): void {
  test('a key goes away when its time is up, as a deletion like any other', async ({ store, clock, signal }) => {
    await store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 });
    clock.advance(59);
    await store.expireDue();
    expect(await valueOf(store, 'a')).toBe('one');
    clock.advance(2);
    await store.expireDue();
    expect(await store.get(pod('a'))).toBeUndefined();
    expect((await collect(store.watch(pods, 1, signal), 2)).map(told)).toEqual(['2 a: - > one', '3 a: one@2 > -']);
  });

  test('a later write decides anew how long the key lives', async ({ store, clock }) => {
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

  test('a key that was deleted and created again does not inherit a deadline', async ({ store, clock }) => {
    const { revision } = (await store.compareAndSet(pod('a'), 0, bytes('one'), { ttlSeconds: 60 })) as { revision: Revision };
    await write(store, 'a', revision, undefined);
    await write(store, 'a', 0, 'two');
    clock.advance(61);
    await store.expireDue();
    expect(await valueOf(store, 'a')).toBe('two');
  });

  test('many keys can be due at once', async ({ store, clock }) => {
    await Promise.all(countFrom(0, 300).map((i) => store.compareAndSet(pod(`p${i}`), 0, bytes('x'), { ttlSeconds: 1 + (i % 3) })));
    await write(store, 'stays', 0, 'here');
    clock.advance(10);
    await store.expireDue();
    expect(await stateAt(store, await store.revision())).toBe('stays=here');
    expect(await store.revision()).toBe(602);
  });
}

export function closing(test: ContractTest): void {
  test('a closed store refuses everything and can be closed again', async ({ store }) => {
    await store.close();
    await store.close();
    await expect(store.get(pod('a'))).rejects.toThrow('closed');
    await expect(store.compareAndSet(pod('a'), 0, bytes('one'))).rejects.toThrow('closed');
  });
}

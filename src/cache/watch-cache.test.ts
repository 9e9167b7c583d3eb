import { describe, expect, test } from 'vitest';
import { parseFieldSelector } from '#api/field-selector.ts';
import { parseLabelSelector } from '#api/label-selector.ts';
import { nextTurn } from '#base/next-turn.ts';
import { WatchCache } from '#cache/watch-cache.ts';
import { openMemoryStore } from '#store/memory/memory-store.ts';
import { Retention } from '#store/retention.ts';
import type { Store, StoreReader } from '#store/store.ts';
import { cachedPods, deletePod, describeNext, podForm, podBytes, podCacheOptions, putPod, take, write } from '../../test/support/cached-pods.ts';
import { ManualTimers } from '../../test/support/manual-timers.ts';

const names = (result: { items: readonly { name: string }[] }) => result.items.map(({ name }) => name);

describe('the state', () => {
  test('is what the store held at the start and every write since', async () => {
    const store = openMemoryStore();
    await putPod(store, 'a', 'old');
    await using pods = await cachedPods({}, store);
    await putPod(store, 'a', 'new');
    await deletePod(store, 'a', 'old');
    expect(names(pods.cache.list({ namespace: '' }))).toEqual(['new']);
    expect(pods.cache.get('a', 'old')).toBeUndefined();
    expect(pods.cache.count).toBe(1);
  });

  test('gives an item as bytes with its resourceVersion, as object and with its labels', async () => {
    await using pods = await cachedPods();
    const revision = await putPod(pods.store, 'a', 'web', { labels: { app: 'web' } });
    const item = pods.cache.get('a', 'web');
    expect(item).toMatchObject({ key: '/registry/pods/a/web', namespace: 'a', name: 'web', revision, labels: { app: 'web' } });
    expect(item?.object.metadata).toEqual({ name: 'web', namespace: 'a', uid: 'uid-of-a-web', resourceVersion: String(revision), labels: { app: 'web' } });
    expect(podForm.parse(item?.json as Buffer)).toEqual(item?.object);
    expect(item?.object).toBe(item?.object);
    const target = Buffer.alloc((item?.byteLength ?? 0) + 5);
    expect(item?.copyTo(target, 5)).toBe(target.length);
    expect(target.subarray(5)).toEqual(item?.json);
  });

  test('is parsed again where many others were read meanwhile, and what was parsed twice is kept for longer', async () => {
    await using pods = await cachedPods();
    for (let index = 0; index < 60; index++) await putPod(pods.store, 'a', `pod-${index}`, { padding: 10_000 });
    const read = (index: number) => pods.cache.get('a', `pod-${index}`)?.object;
    const readOthers = () => Array.from({ length: 59 }, (_, index) => read(index + 1));
    const first = read(0);
    readOthers();
    const second = read(0);
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
    readOthers();
    expect(read(0)).toBe(second);
  });

  test('of a resource without namespaces is found by name', async () => {
    const store = openMemoryStore();
    const cache = new WatchCache({ ...podCacheOptions(store), prefix: '/registry/minions/', namespaced: false });
    cache.start();
    await cache.ready;
    await write(store, '/registry/minions/n1', podBytes('', 'n1'));
    expect(cache.get('', 'n1')).toMatchObject({ namespace: '', name: 'n1' });
    expect(names(await cache.list({ namespace: '', fields: parseFieldSelector('metadata.name=n1') }))).toEqual(['n1']);
    await cache.stop();
  });

  test('is not read as objects before somebody asks', async () => {
    const store = openMemoryStore();
    for (let i = 0; i < 20; i++) await putPod(store, 'a', `p${i}`, { labels: { x: '1' }, nodeName: 'n1' });
    let parsed = 0;
    const parse = (json: Buffer) => {
      parsed++;
      return podForm.parse(json);
    };
    await using pods = await cachedPods({ form: { ...podForm, parse } }, store);
    const query = { namespace: '', labels: parseLabelSelector('x=1'), fields: parseFieldSelector('spec.nodeName=n1') };
    expect((await pods.cache.list(query)).items).toHaveLength(20);
    expect(parsed).toBe(0);
    expect((await pods.cache.list({ namespace: '', fields: parseFieldSelector('status.phase=Running') })).items).toHaveLength(0);
    expect(parsed).toBe(20);
  });
});

describe('a list', () => {
  test('is in byte order of keys and honours namespace and selectors', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'b', 'x', { labels: { app: 'web' }, nodeName: 'n1' });
    await putPod(pods.store, 'a-b', 'x', { labels: { app: 'db' }, nodeName: 'n1', phase: 'Running' });
    await putPod(pods.store, 'a', 'y', { labels: { app: 'web' }, nodeName: 'n2' });
    const keys = async (query: object) => (await pods.cache.list({ namespace: '', ...query })).items.map(({ namespace, name }) => `${namespace}/${name}`);
    expect(await keys({})).toEqual(['a-b/x', 'a/y', 'b/x']);
    expect(await keys({ namespace: 'a' })).toEqual(['a/y']);
    expect(await keys({ name: 'x' })).toEqual(['a-b/x', 'b/x']);
    expect(await keys({ namespace: 'b', name: 'x' })).toEqual(['b/x']);
    expect(await keys({ labels: parseLabelSelector('app=web') })).toEqual(['a/y', 'b/x']);
    expect(await keys({ fields: parseFieldSelector('spec.nodeName=n1') })).toEqual(['a-b/x', 'b/x']);
    expect(await keys({ namespace: 'b', fields: parseFieldSelector('spec.nodeName=n1') })).toEqual(['b/x']);
    expect(await keys({ fields: parseFieldSelector('spec.nodeName!=n1') })).toEqual(['a/y']);
    expect(await keys({ fields: parseFieldSelector('status.phase=Running') })).toEqual(['a-b/x']);
    expect(await keys({ fields: parseFieldSelector('metadata.namespace=b') })).toEqual(['b/x']);
    expect(await keys({ namespace: 'a', fields: parseFieldSelector('metadata.namespace=b') })).toEqual([]);
    expect(await keys({ name: 'x', fields: parseFieldSelector('metadata.name=y') })).toEqual([]);
  });

  test('in pages says where the next one begins and how many follow', async () => {
    await using pods = await cachedPods();
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) await putPod(pods.store, 'a', name);
    await putPod(pods.store, 'b', 'other');
    const first = pods.cache.list({ namespace: 'a', limit: 2 });
    expect(names(first)).toEqual(['p1', 'p2']);
    expect(first).toMatchObject({ next: '/registry/pods/a/p3', remaining: 3, revision: 7 });
    const last = pods.cache.list({ namespace: 'a', limit: 3, after: first.next });
    expect(names(last)).toEqual(['p3', 'p4', 'p5']);
    expect(last.next).toBeUndefined();
    expect(last.remaining).toBeUndefined();
  });

  test('in pages with selectors does not count', async () => {
    await using pods = await cachedPods();
    for (const name of ['p1', 'p2', 'p3']) await putPod(pods.store, 'a', name, { labels: { x: '1' }, nodeName: 'n1' });
    for (const query of [{ labels: parseLabelSelector('x=1') }, { fields: parseFieldSelector('spec.nodeName=n1') }]) {
      const first = await pods.cache.list({ namespace: '', limit: 2, ...query });
      expect([names(first), first.remaining]).toEqual([['p1', 'p2'], undefined]);
      const second = await pods.cache.list({ namespace: '', limit: 2, after: first.next, ...query });
      expect([names(second), second.next]).toEqual([['p3'], undefined]);
    }
  });

  test('at an earlier revision shows the state of then', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'a', 'gone');
    const then = await putPod(pods.store, 'a', 'changed', { phase: 'Pending' });
    await deletePod(pods.store, 'a', 'gone');
    await putPod(pods.store, 'a', 'changed', { phase: 'Running' });
    await putPod(pods.store, 'a', 'added');
    const result = await pods.cache.listAt({ namespace: '' }, then);
    if (result === 'compacted') throw new Error('compacted');
    expect(names(result)).toEqual(['changed', 'gone']);
    expect(result.items[0]?.object).toMatchObject({ status: { phase: 'Pending' } });
    expect(result.revision).toBe(then);
  });

  test('older than the history of the cache comes from the store, until that has forgotten it too', async () => {
    await using pods = await cachedPods({ historyLimit: 2 });
    for (const name of ['p1', 'p2', 'p3']) await putPod(pods.store, 'a', name, { labels: { x: '1' } });
    const then = pods.cache.revision;
    for (const name of ['p1', 'p2', 'p3']) await deletePod(pods.store, 'a', name);
    expect(pods.cache.oldest).toBeGreaterThan(then);
    const page = await pods.cache.listAt({ namespace: '', limit: 2, labels: parseLabelSelector('x=1') }, then);
    if (page === 'compacted') throw new Error('compacted');
    expect([names(page), page.next, page.revision]).toEqual([['p1', 'p2'], '/registry/pods/a/p3', then]);
    const rest = await pods.cache.listAt({ namespace: '', after: page.next }, then);
    expect(rest !== 'compacted' && names(rest)).toEqual(['p3']);
    await pods.store.compact(then + 1);
    expect(await pods.cache.listAt({ namespace: '' }, then)).toBe('compacted');
  });

  test('at a revision that was given up is not shown, though the cache still knows it', async () => {
    const retention = new Retention();
    await using pods = await cachedPods({ retention });
    const then = await putPod(pods.store, 'a', 'x');
    const later = await putPod(pods.store, 'a', 'y');
    retention.giveUpBefore(later);
    expect(await pods.cache.listAt({ namespace: '' }, then)).toBe('compacted');
    expect(await pods.cache.listAt({ namespace: '' }, later)).toMatchObject({ revision: later });
  });

  test('that is read from the store keeps its revision from being compacted meanwhile', async () => {
    const retention = new Retention();
    await using pods = await cachedPods({ historyLimit: 2, retention });
    for (let i = 0; i < 300; i++) await putPod(pods.store, 'a', `p${i}`);
    const then = pods.cache.revision;
    for (let i = 0; i < 3; i++) await deletePod(pods.store, 'a', `p${i}`);
    const reading = pods.cache.listAt({ namespace: '' }, then);
    await pods.store.compact(retention.giveUpBefore(pods.cache.revision));
    const result = await reading;
    expect(result !== 'compacted' && result.items).toHaveLength(300);
  });

  test('at a revision that lies many changes back is right too', async () => {
    await using pods = await cachedPods();
    const then = await putPod(pods.store, 'a', 'x', { phase: 'Pending' });
    for (let i = 0; i < 10_050; i++) await putPod(pods.store, 'a', `p${i % 7}`);
    expect(pods.cache.oldest).toBeLessThan(then);
    const result = await pods.cache.listAt({ namespace: '' }, then);
    expect(result !== 'compacted' && names(result)).toEqual(['x']);
  });

  test('that takes long lets others work, on the state it began with', async () => {
    await using pods = await cachedPods({ clock: { now: () => new Date(time++) } });
    let time = 0;
    for (let i = 0; i < 2_000; i++) await putPod(pods.store, 'a', `p${i}`, { labels: { x: '1' } });
    const listing = pods.cache.list({ namespace: '', labels: parseLabelSelector('x=1') });
    expect(listing).toBeInstanceOf(Promise);
    await deletePod(pods.store, 'a', 'p999');
    expect((await listing).items).toHaveLength(2_000);
    expect(pods.cache.count).toBe(1_999);
  });
});

describe('a selector that has to parse large objects', () => {
  const fields = parseFieldSelector('status.phase=Running');
  const padding = 100_000;

  test('lets others work between them, in lists of few objects too', async () => {
    await using pods = await cachedPods({ clock: { now: () => new Date((time += 10)) } });
    let time = 0;
    for (let i = 0; i < 20; i++) await putPod(pods.store, 'a', `p${i}`, { phase: i % 2 ? 'Running' : 'Pending', padding });
    const listing = pods.cache.list({ namespace: 'a', fields, limit: 5 });
    expect(listing).toBeInstanceOf(Promise);
    const page = await listing;
    expect([page.items.length, page.next]).toEqual([5, '/registry/pods/a/p18']);
    const rest = await pods.cache.list({ namespace: 'a', fields, after: page.next });
    expect(rest.items).toHaveLength(5);
    // One look at the clock for every second object, and one at the beginning of each list.
    expect(time / 10).toBeGreaterThanOrEqual(10);
  });

  test.each(['initial', 'history'] as const)('looks at a few of them in one turn: a watch of %s', async (from) => {
    await using pods = await cachedPods();
    const first = await putPod(pods.store, 'a', 'first');
    for (let i = 0; i < 20; i++) await putPod(pods.store, 'a', `p${i}`, { phase: 'Pending', padding });
    await putPod(pods.store, 'a', 'running', { phase: 'Running' });
    const watcher = pods.watch({ after: from === 'initial' ? from : first, fields });
    const turns = turnsUntil(describeNext(watcher, 1));
    expect(await turns).toEqual({ turns: expect.any(Number), value: ['ADDED a/running 23'] });
    expect((await turns).turns).toBeGreaterThanOrEqual(6);
  });
});

async function turnsUntil<T>(pending: Promise<T>): Promise<{ turns: number; value: T }> {
  let outcome: { value: T } | undefined;
  void pending.then((value) => (outcome = { value }));
  for (let turns = 0; ; turns++) {
    if (outcome !== undefined) return { turns, ...outcome };
    await nextTurn();
  }
}

describe('a watch', () => {
  test('from now on tells changes only', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'a', 'x');
    const watcher = pods.watch();
    await putPod(pods.store, 'a', 'x', { phase: 'Running' });
    await putPod(pods.store, 'a', 'y');
    await deletePod(pods.store, 'a', 'x');
    expect(await describeNext(watcher, 3)).toEqual(['MODIFIED a/x 3', 'ADDED a/y 4', 'DELETED a/x 5']);
  });

  test('from a revision tells every change after it', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'a', 'x');
    const after = await putPod(pods.store, 'a', 'y');
    await deletePod(pods.store, 'a', 'x');
    const watcher = pods.watch({ after });
    expect(await describeNext(watcher, 1)).toEqual(['DELETED a/x 4']);
    await putPod(pods.store, 'a', 'z');
    expect(await describeNext(watcher, 1)).toEqual(['ADDED a/z 5']);
  });

  test('that begins far back or with a large state is told everything, in order', async () => {
    await using pods = await cachedPods();
    const expected: string[] = [];
    for (let i = 1_000; i < 2_500; i++) expected.push(`ADDED a/p${i} ${await putPod(pods.store, 'a', `p${i}`)}`);
    const [past, state] = [pods.watch({ after: 1 }), pods.watch({ after: 'initial' })];
    expect(await describeNext(past, 600)).toEqual(expected.slice(0, 1_024));
    expected.push(`ADDED a/z ${await putPod(pods.store, 'a', 'z')}`);
    expect(await describeNext(past, 477)).toEqual(expected.slice(1_024));
    expect(await describeNext(state, 1_501)).toEqual(expected);
  });

  test('from the beginning tells the state first, and marks its end when asked', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'b', 'x');
    await putPod(pods.store, 'a', 'x');
    await write(pods.store, '/registry/configmaps/a/other', podBytes('a', 'other'));
    const watcher = pods.watch({ after: 'initial', markInitialEnd: true });
    await putPod(pods.store, 'a', 'y');
    expect(await describeNext(watcher, 4)).toEqual(['ADDED a/x 3', 'ADDED b/x 2', 'BOOKMARK 4 initial end', 'ADDED a/y 5']);
  });

  test('from a revision that has not come waits for the one after', async () => {
    await using pods = await cachedPods();
    const watcher = pods.watch({ after: 3, bookmarks: true });
    watcher.bookmark();
    for (const name of ['x', 'y', 'z']) await putPod(pods.store, 'a', name);
    expect(await describeNext(watcher, 1)).toEqual(['ADDED a/z 4']);
  });

  test('older than history is refused', async () => {
    await using pods = await cachedPods({ historyLimit: 2 });
    for (const name of ['x', 'y', 'z']) await putPod(pods.store, 'a', name);
    expect(pods.cache.oldest).toBe(2);
    expect(pods.cache.watch({ namespace: '', after: 1, bookmarks: false })).toBe('too-old');
    expect(await describeNext(pods.watch({ after: 2 }), 2)).toEqual(['ADDED a/y 3', 'ADDED a/z 4']);
  });

  test('tells ADDED when an object begins to match and DELETED with the last matching state when it stops', async () => {
    await using pods = await cachedPods();
    const watcher = pods.watch({ fields: parseFieldSelector('status.phase=Running') });
    await putPod(pods.store, 'a', 'x', { phase: 'Pending' });
    await putPod(pods.store, 'a', 'x', { phase: 'Running' });
    await putPod(pods.store, 'a', 'x', { phase: 'Running', nodeName: 'n1' });
    await putPod(pods.store, 'a', 'x', { phase: 'Failed' });
    await deletePod(pods.store, 'a', 'x');
    await putPod(pods.store, 'a', 'y', { phase: 'Running' });
    const events = await take(watcher, 4);
    expect(events.map(({ type, revision }) => [type, revision])).toEqual([
      ['ADDED', 3],
      ['MODIFIED', 4],
      ['DELETED', 5],
      ['ADDED', 7],
    ]);
    expect(events[2]?.item?.object).toMatchObject({ metadata: { resourceVersion: '5' }, spec: { nodeName: 'n1' }, status: { phase: 'Running' } });
  });

  test('of a deletion shows the last state with the resourceVersion of the deletion', async () => {
    await using pods = await cachedPods();
    await putPod(pods.store, 'a', 'x', { phase: 'Running' });
    const watcher = pods.watch();
    await deletePod(pods.store, 'a', 'x');
    const [event] = await take(watcher, 1);
    expect(event?.item?.object).toMatchObject({ metadata: { resourceVersion: '3' }, status: { phase: 'Running' } });
  });

  test.each([
    ['name', { namespace: 'a', name: 'x' }],
    ['name in all namespaces', { fields: parseFieldSelector('metadata.name=x') }],
    ['namespace', { namespace: 'a' }],
    ['indexed field', { fields: parseFieldSelector('spec.nodeName=n1') }],
    ['labels', { labels: parseLabelSelector('app=web') }],
  ])('by %s hears nothing of others', async (_, query) => {
    await using pods = await cachedPods();
    const watcher = pods.watch(query);
    await putPod(pods.store, 'b', 'y', { nodeName: 'n2', labels: { app: 'db' } });
    await putPod(pods.store, 'a', 'x', { nodeName: 'n1', labels: { app: 'web' } });
    await deletePod(pods.store, 'b', 'y');
    await deletePod(pods.store, 'a', 'x');
    expect(await describeNext(watcher, 2)).toEqual(['ADDED a/x 3', 'DELETED a/x 5']);
  });

  test('by indexed field follows an object from one value to another', async () => {
    await using pods = await cachedPods();
    const [one, two] = ['n1', 'n2'].map((node) => pods.watch({ fields: parseFieldSelector(`spec.nodeName=${node}`) }));
    await putPod(pods.store, 'a', 'x');
    await putPod(pods.store, 'a', 'x', { nodeName: 'n1' });
    await putPod(pods.store, 'a', 'x', { nodeName: 'n2' });
    expect(await describeNext(one as never, 2)).toEqual(['ADDED a/x 3', 'DELETED a/x 4']);
    expect(await describeNext(two as never, 1)).toEqual(['ADDED a/x 4']);
  });

  test('shares its events, and with them their encoded forms, with all that are told the same', async () => {
    await using pods = await cachedPods();
    const watchers = [pods.watch(), pods.watch(), pods.watch({ namespace: 'a' })];
    await putPod(pods.store, 'a', 'x');
    const events = await Promise.all(watchers.map(async (watcher) => (await take(watcher, 1))[0]));
    expect(new Set(events).size).toBe(1);
    events[0]?.shared.set('application/json', Buffer.from('frame'));
    expect(events[2]?.shared.get('application/json')?.toString()).toBe('frame');
  });

  test('that is slow loses nothing while history lasts, and others do not notice', async () => {
    await using pods = await cachedPods({ watcherBuffer: 3, historyLimit: 100 });
    const [slow, quick] = [pods.watch(), pods.watch()];
    const expected: string[] = [];
    for (let i = 0; i < 50; i++) {
      expected.push(`ADDED a/p${i} ${await putPod(pods.store, 'a', `p${i}`)}`);
      expect(await describeNext(quick, 1)).toEqual(expected.slice(-1));
    }
    expect(await describeNext(slow, 50)).toEqual(expected);
    await deletePod(pods.store, 'a', 'p0');
    expect(await describeNext(slow, 1)).toEqual(['DELETED a/p0 52']);
  });

  test('that waits is told of a batch larger than its buffer', async () => {
    const store = openMemoryStore();
    await using pods = await cachedPods({ watcherBuffer: 2 }, store);
    const watcher = pods.watch();
    const first = describeNext(watcher, 5);
    await nextTurn();
    await Promise.all(['p1', 'p2', 'p3', 'p4', 'p5'].map((name) => store.compareAndSet(`/registry/pods/a/${name}`, 0, podBytes('a', name))));
    expect(await first).toHaveLength(5);
  });

  test('that history has overtaken is ended after a prefix without gaps', async () => {
    await using pods = await cachedPods({ watcherBuffer: 3, historyLimit: 10 });
    const watcher = pods.watch();
    for (let i = 0; i < 50; i++) await putPod(pods.store, 'a', `p${i}`);
    expect(await describeNext(watcher, 50)).toEqual([]);
    expect(watcher.ended).toBe('overrun');
    expect(pods.cache.watchers).toBe(0);
  });

  test('ends when its signal aborts, when it is closed, when its reader stops, and with the cache', async () => {
    const pods = await cachedPods();
    const aborted = new AbortController();
    const watchers = [pods.watch({ signal: aborted.signal }), pods.watch(), pods.watch(), pods.watch(), pods.watch({ signal: AbortSignal.abort() })];
    const ends = watchers.map((watcher) => watcher.next());
    expect(pods.cache.watchers).toBe(4);
    aborted.abort();
    watchers[1]?.close();
    await watchers[2]?.return?.();
    expect(pods.cache.watchers).toBe(1);
    await pods[Symbol.asyncDispose]();
    for (const end of ends) expect(await end).toEqual({ done: true, value: undefined });
    expect(watchers.map(({ ended }) => ended)).toEqual(Array(5).fill('closed'));
  });
});

describe('progress', () => {
  test('moves with writes to other resources', async () => {
    await using pods = await cachedPods();
    const revision = await write(pods.store, '/registry/configmaps/a/x', podBytes('a', 'x'));
    expect(pods.cache.revision).toBe(revision);
    expect(await pods.cache.waitFor(revision)).toBe(true);
    expect(pods.cache.list({ namespace: '' }).revision).toBe(revision);
  });

  test('is waited for, for three seconds', async () => {
    const timers = new ManualTimers();
    await using pods = await cachedPods({ timers });
    const tooFar = pods.cache.waitFor(5);
    const reached = pods.cache.waitFor(2);
    timers.advance(2_999);
    await putPod(pods.store, 'a', 'x');
    expect(await reached).toBe(true);
    timers.advance(1);
    expect(await tooFar).toBe(false);
    expect(timers.pending).toBe(0);
  });

  test('is not waited for longer than the caller wants', async () => {
    const timers = new ManualTimers();
    await using pods = await cachedPods({ timers });
    const signal = new AbortController();
    const waiting = pods.cache.waitFor(99, { signal: signal.signal });
    signal.abort();
    expect(await waiting).toBe(false);
    expect(timers.pending).toBe(0);
  });
});

describe('bookmarks', () => {
  test('come every minute, to those who take them, with the revision of the whole store', async () => {
    const timers = new ManualTimers();
    await using pods = await cachedPods({ timers });
    const [with_, without] = [pods.watch({ bookmarks: true }), pods.watch()];
    timers.advance(59_999);
    await putPod(pods.store, 'a', 'x');
    await write(pods.store, '/registry/configmaps/a/x', podBytes('a', 'x'));
    timers.advance(1);
    expect(await describeNext(with_, 2)).toEqual(['ADDED a/x 2', 'BOOKMARK 3']);
    timers.advance(60_000);
    expect(await describeNext(with_, 1)).toEqual(['BOOKMARK 3']);
    await putPod(pods.store, 'a', 'y');
    expect(await describeNext(without, 2)).toEqual(['ADDED a/x 2', 'ADDED a/y 4']);
    with_.close();
    timers.advance(60_000);
    expect(timers.pending).toBe(0);
  });

  test('come shortly before the end of a watch, and on demand', async () => {
    const timers = new ManualTimers();
    await using pods = await cachedPods({ timers });
    const watcher = pods.watch({ bookmarks: true, timeoutMs: 10_000 });
    timers.advance(7_999);
    const next = describeNext(watcher, 1);
    await putPod(pods.store, 'a', 'x');
    expect(await next).toEqual(['ADDED a/x 2']);
    timers.advance(1);
    expect(await describeNext(watcher, 1)).toEqual(['BOOKMARK 2']);
    pods.cache.bookmark();
    expect(await describeNext(watcher, 1)).toEqual(['BOOKMARK 2']);
  });

  test('that nobody reads do not pile up', async () => {
    await using pods = await cachedPods();
    const watcher = pods.watch({ bookmarks: true });
    for (let i = 0; i < 5; i++) watcher.bookmark();
    await putPod(pods.store, 'a', 'x');
    for (let i = 0; i < 5; i++) watcher.bookmark();
    expect(await describeNext(watcher, 1)).toEqual(['BOOKMARK 1', 'ADDED a/x 2', 'BOOKMARK 2']);
  });

  test('never overtake what a slow watcher has still to read', async () => {
    await using pods = await cachedPods({ watcherBuffer: 2 });
    const watcher = pods.watch({ bookmarks: true });
    for (const name of ['p1', 'p2', 'p3']) await putPod(pods.store, 'a', name);
    watcher.bookmark();
    expect(await describeNext(watcher, 4)).toEqual(['ADDED a/p1 2', 'ADDED a/p2 3', 'ADDED a/p3 4', 'BOOKMARK 4']);
  });
});

test('one object is there before all of them have been read', async () => {
  const store = openMemoryStore();
  const revision = await putPod(store, 'default', 'web');
  const slow = { ...storeOf(store), visitAll: () => new Promise<never>(() => {}) };
  const cache = new WatchCache({ ...podCacheOptions(store), store: slow });
  cache.start();
  expect((await cache.read('default', 'web'))?.revision).toBe(revision);
  expect(await cache.read('default', 'db')).toBeUndefined();
  await store.close();
});

function storeOf(store: Store): StoreReader {
  return {
    atOnce: undefined,
    revision: () => store.revision(),
    get: (key) => store.get(key),
    list: (range, options) => store.list(range, options),
    keys: (range) => store.keys(range),
    count: (range) => store.count(range),
    visitAll: (range, visitorAt, signal) => store.visitAll(range, visitorAt, signal),
    watch: (range, after, signal) => store.watch(range, after, signal),
  };
}

// What the store in etcd promises when members, connections and disks fail: no acknowledged write is lost, none is reported wrongly, no watch has a gap.
import { createServer, connect, type Server, type Socket, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EtcdStore } from '#store/etcd/etcd-store.ts';
import { type EtcdStoreOptions, openEtcdStore } from '#store/etcd/open-etcd-store.ts';
import { CompactedError, type Change, rangeOf, type Revision, StoreClosedError, StoreUnavailableError, StoreUnwritableError } from '#store/store.ts';
import { hasEtcd, type RealEtcd, startEtcd, startThreeEtcds, withoutEtcd } from '../../../test/support/real-etcd.ts';

const everything = rangeOf('/registry/');

const releases = [
  { release: 'of today', trust: {} },
  { release: 'before 3.4.31 and 3.5.13', trust: { tellsProgress: () => false } },
];

/** What an old release says about progress is not believed: that way is tried with a new one too. */
describe.skipIf(!hasEtcd).each(releases)(`connections to a real etcd $release ${hasEtcd ? '' : withoutEtcd}`, ({ trust }) => {
  test('that are cut in the middle of writes lose none and double none', async () => {
    const etcd = await running();
    const proxy = await proxyTo(etcd);
    const store = await opened([proxy.url], trust);
    const told = follow(store);
    const cutting = cutEvery(proxy, 150);
    const counts = await Promise.all(Array.from({ length: 8 }, (_, w) => countUp(store, `w${w}`, 150)));
    cutting();
    expect(proxy.cuts()).toBeGreaterThan(3);
    const direct = await opened([etcd.url], trust);
    for (const [w, count] of counts.entries()) expect(await numberAt(direct, `w${w}`)).toBe(count);
    await until(async () => told.position() >= (await direct.revision()));
    expectInOrder(told.changes);
    for (const [w, count] of counts.entries()) expect(valuesOf(told.changes, `w${w}`)).toEqual(countedTo(count));
  }, 60_000);

  test('a write whose answer is cut off is found to have happened', async () => {
    const etcd = await running();
    const proxy = await proxyTo(etcd);
    const store = await opened([proxy.url], trust);
    await set(store, 'a', 0, 'one');
    // The request passes, the answer does not.
    proxy.loseAnswers();
    const written = store.compareAndSet('/registry/a', 2, Buffer.from('two'));
    const direct = await opened([etcd.url], trust);
    await until(async () => (await numberOf(direct)) === 3);
    proxy.cut();
    proxy.passAnswers();
    expect(await written).toEqual({ committed: true, revision: 3 });
    expect(await direct.get('/registry/a')).toMatchObject({ revision: 3 });
  }, 30_000);

  test('a write whose answer is cut off and that another server has overwritten meanwhile is found to have happened', async () => {
    const etcd = await running();
    const proxy = await proxyTo(etcd);
    const store = await opened([proxy.url], trust);
    const direct = await opened([etcd.url], trust);
    proxy.loseAnswers();
    const written = store.compareAndSet('/registry/a', 0, Buffer.from('created'));
    await until(async () => (await numberOf(direct)) === 2);
    await set(direct, 'a', 2, 'changed');
    proxy.cut();
    proxy.passAnswers();
    expect(await written).toEqual({ committed: true, revision: 2 });
    expect(String((await direct.get('/registry/a'))?.value)).toBe('changed');
  }, 30_000);

  test('a write that never arrived and that another server was faster with is refused, and tells what is there', async () => {
    const etcd = await running();
    const proxy = await proxyTo(etcd);
    const store = await opened([proxy.url], trust);
    await set(store, 'a', 0, 'one');
    proxy.loseRequests();
    const written = store.compareAndSet('/registry/a', 2, Buffer.from('mine'));
    const direct = await opened([etcd.url], trust);
    await set(direct, 'a', 2, 'theirs');
    await until(async () => proxy.lost() > 0);
    proxy.cut();
    proxy.passRequests();
    expect(await written).toMatchObject({ committed: false, current: { revision: 3 } });
  }, 30_000);

  test('a watch that was cut off while its history was compacted says so, and revisions that jump are reached', async () => {
    const etcd = await running();
    const proxy = await proxyTo(etcd);
    const store = await opened([proxy.url], trust);
    const direct = await opened([etcd.url], trust);
    const watching = (async () => {
      for await (const _ of store.watch(everything, 1, AbortSignal.timeout(20_000))) continue;
    })();
    await set(direct, 'a', 0, 'one');
    proxy.refuse();
    for (let revision = 2; revision < 30; revision++) await set(direct, 'a', revision, String(revision));
    await direct.compact(30);
    proxy.accept();
    await expect(watching).rejects.toThrow(CompactedError);
    // Keys of others move the revision too.
    const others = await opened([etcd.url], { ...trust, root: '/others/', prefix: '/others/' });
    const written = await others.compareAndSet('/others/x', 0, Buffer.from('x'));
    const jumped = await store.revision();
    expect(written).toMatchObject({ committed: true });
    expect(jumped).toBeGreaterThanOrEqual(31);
    for await (const { revision } of store.watch(everything, 30, AbortSignal.timeout(20_000))) if (revision >= jumped) break;
  }, 40_000);
});

describe.skipIf(!hasEtcd)(`a real etcd that fails ${hasEtcd ? '' : withoutEtcd}`, () => {
  test('while etcd is stopped reads and writes fail with a clear word, and go on when it goes on', async () => {
    const etcd = await running();
    const store = await opened([etcd.url], { deadlineMs: 1_000, attemptMs: 500, settleMs: 1_000 });
    await set(store, 'a', 0, 'one');
    await etcd.suspend();
    await expect(store.get('/registry/a')).rejects.toThrow(StoreUnavailableError);
    await expect(store.compareAndSet('/registry/a', 2, Buffer.from('two'))).rejects.toThrow('etcd does not answer');
    etcd.signal('SIGCONT');
    await until(async () => (await store.get('/registry/a').catch(() => undefined)) !== undefined);
    const now = await store.get('/registry/a');
    await set(store, 'a', now?.revision ?? 0, 'three');
  }, 30_000);

  test('etcd that is killed and started again has every acknowledged write, and watches go on without a gap', async () => {
    const etcd = await running();
    const store = await opened([etcd.url]);
    const told = follow(store);
    const counting = countUp(store, 'a', 60);
    await until(async () => told.changes.length > 10);
    await etcd.kill();
    await etcd.start();
    const count = await counting;
    expect(await numberAt(store, 'a')).toBe(count);
    await until(async () => told.position() >= (await store.revision()));
    expectInOrder(told.changes);
    expect(valuesOf(told.changes, 'a')).toEqual(countedTo(count));
  }, 60_000);

  test('the loss of the leader of three members loses no acknowledged write and leaves no gap', async () => {
    const members = await runningThree();
    const store = await opened(members.map(({ url }) => url));
    const told = follow(store);
    const counting = Promise.all(['a', 'b'].map((name) => countUp(store, name, 40)));
    await until(async () => told.changes.length > 10);
    // One of them is the leader, and one of them the member that is spoken to: each is taken away in its turn.
    for (const member of members) {
      await member.kill();
      const before = told.changes.length;
      await until(async () => told.changes.length > before || told.changes.length >= 80);
      await member.start();
    }
    const counts = await counting;
    for (const [index, name] of ['a', 'b'].entries()) expect(await numberAt(store, name)).toBe(counts[index]);
    await until(async () => told.position() >= (await store.revision()));
    expectInOrder(told.changes);
    for (const [index, name] of ['a', 'b'].entries()) expect(valuesOf(told.changes, name)).toEqual(countedTo(counts[index] ?? 0));
  }, 90_000);

  test('a member that hangs is left for another one', async () => {
    const members = await runningThree();
    const store = await opened(
      members.map(({ url }) => url),
      { attemptMs: 1_500 },
    );
    await set(store, 'a', 0, 'one');
    await members[0]?.suspend();
    await until(async () => (await store.get('/registry/a').catch(() => undefined)) !== undefined);
    const now = await store.get('/registry/a');
    await set(store, 'a', now?.revision ?? 0, 'two');
    members[0]?.signal('SIGCONT');
  }, 60_000);

  test('an etcd without room refuses writes with its own word, reads go on, and room made is used', async () => {
    const etcd = await running(['--quota-backend-bytes=2097152']);
    const store = await opened([etcd.url]);
    const large = Buffer.alloc(500_000, 'x');
    let failure: unknown;
    for (let i = 0; i < 20 && failure === undefined; i++) await store.compareAndSet(`/registry/large${i}`, 0, large).catch((error) => (failure = error));
    expect(failure).toBeInstanceOf(StoreUnwritableError);
    expect((failure as Error).message).toContain('database space exceeded');
    expect(store.writeError()).toBe(failure);
    expect((await store.list(everything)).entries.length).toBeGreaterThan(0);
    const first = await store.get('/registry/large0');
    expect((await store.compareAndSet('/registry/large0', first?.revision ?? 0, undefined)).committed).toBe(true);
  }, 30_000);
});

async function running(flags: readonly string[] = []): Promise<RealEtcd> {
  const etcd = await startEtcd({ flags });
  onTestFinished(() => etcd[Symbol.asyncDispose]());
  return etcd;
}

async function runningThree(): Promise<readonly RealEtcd[]> {
  const members = await startThreeEtcds();
  for (const member of members) onTestFinished(() => member[Symbol.asyncDispose]());
  return members;
}

async function opened(endpoints: readonly string[], more: Partial<EtcdStoreOptions> = {}): Promise<EtcdStore> {
  const store = await openEtcdStore({ endpoints, root: '/registry/', prefix: '/registry/', leaseReuseSeconds: 60, ...more });
  onTestFinished(() => store.close());
  return store;
}

async function set(store: EtcdStore, name: string, expected: Revision, value: string): Promise<void> {
  const result = await store.compareAndSet(`/registry/${name}`, expected, Buffer.from(value));
  expect(result.committed).toBe(true);
}

/** Read, add one, compare-and-set, until so many succeeded. What a failure leaves open is read again; how far it came is the answer. */
async function countUp(store: EtcdStore, name: string, times: number): Promise<number> {
  const key = `/registry/${name}`;
  for (let acknowledged = 0; acknowledged < times; ) {
    const entry = await store.get(key).catch(unlessClosed);
    if (entry === 'unread') continue;
    const value = Number(String(entry?.value ?? 0));
    // No other writer has this key: more than was acknowledged would be a write that was reported as failed.
    expect(value).toBe(acknowledged);
    const result = await store.compareAndSet(key, entry?.revision ?? 0, Buffer.from(String(value + 1)));
    if (result.committed) acknowledged++;
  }
  return times;
}

/** A test whose time is up closes its store: whoever would go on reading would never let another turn begin. */
function unlessClosed(error: unknown): 'unread' {
  if (error instanceof StoreClosedError) throw error;
  return 'unread';
}

async function numberAt(store: EtcdStore, name: string): Promise<number> {
  return Number(String((await store.get(`/registry/${name}`))?.value));
}

async function numberOf(store: EtcdStore): Promise<Revision> {
  return store.revision();
}

function follow(store: EtcdStore): { readonly changes: Change[]; position(): Revision } {
  const changes: Change[] = [];
  let position = 0;
  const end = new AbortController();
  onTestFinished(() => end.abort());
  void (async () => {
    for await (const batch of store.watch(everything, 1, end.signal)) {
      changes.push(...batch.changes);
      position = batch.revision;
    }
  })();
  return { changes, position: () => position };
}

/** Whether there is a gap is seen from the values: a key that is written to learn of progress takes revisions too. */
function expectInOrder(changes: readonly Change[]): void {
  const revisions = changes.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
}

const countedTo = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i + 1));

function valuesOf(changes: readonly Change[], name: string): string[] {
  return changes.filter(({ key }) => key === `/registry/${name}`).map(({ value }) => String(value));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 10));
}

interface Proxy {
  readonly url: string;
  /** Breaks all connections. */
  cut(): void;
  cuts(): number;
  refuse(): void;
  accept(): void;
  loseAnswers(): void;
  passAnswers(): void;
  loseRequests(): void;
  passRequests(): void;
  /** Pieces of requests that were swallowed. */
  lost(): number;
}

/** Between the store and etcd: passes bytes on, loses them in one direction, or breaks. */
async function proxyTo({ url }: RealEtcd): Promise<Proxy> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const state = { answers: true, requests: true, open: true, cuts: 0, lost: 0 };
  const server: Server = createServer((client) => {
    if (!state.open) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (piece) => (state.requests ? upstream.write(piece) : state.lost++)).on('close', () => upstream.destroy());
    upstream.on('data', (piece) => state.answers && client.write(piece)).on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    if (sockets.size > 0) state.cuts++;
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    cuts: () => state.cuts,
    refuse: () => {
      state.open = false;
      cut();
    },
    accept: () => void (state.open = true),
    loseAnswers: () => void (state.answers = false),
    passAnswers: () => void (state.answers = true),
    loseRequests: () => void (state.requests = false),
    passRequests: () => void (state.requests = true),
    lost: () => state.lost,
  };
}

function cutEvery(proxy: Proxy, milliseconds: number): () => void {
  const timer = setInterval(() => proxy.cut(), milliseconds);
  return () => clearInterval(timer);
}

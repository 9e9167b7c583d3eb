// The store of several servers: an etcd that they share, in the key layout of the original.
import { pause } from '#base/timers.ts';
import { type EtcdClient, statusPath } from '#store/etcd/etcd-client.ts';
import { Follower } from '#store/etcd/follower.ts';
import { isPassing } from '#base/grpc/grpc-error.ts';
import { isCompacted, isFuture, isLeaseGone, isNoSpace } from '#store/etcd/etcd-error.ts';
import type { KeySpace } from '#store/etcd/key-space.ts';
import {
  type CompareAndSetRequest,
  encodeCompaction,
  encodeCompareAndSet,
  encodeRange,
  type RangeRequest,
  type RangeResponse,
  readCompareAndSetResponse,
  readRangeResponse,
  readStatusResponse,
} from '#store/etcd/kv-messages.ts';
import type { LeasePool } from '#store/etcd/lease-pool.ts';
import { changesOfKey, replay } from '#store/etcd/replay.ts';
import { settleWrite } from '#store/etcd/settle-write.ts';
import { SharedAsk } from '#store/etcd/shared-ask.ts';
import { entryOf, openWatch } from '#store/etcd/watch-stream.ts';
import { compareKeys } from '#store/key-order.ts';
import {
  CompactedError,
  type Entry,
  FutureRevisionError,
  type KeyPage,
  type KeyRange,
  type ListOptions,
  type Page,
  type ReadOptions,
  type Revision,
  type Store,
  StoreClosedError,
  StoreUnwritableError,
  type WatchBatch,
  type WriteOptions,
  type WriteResult,
} from '#store/store.ts';

export interface EtcdStoreParts {
  readonly client: EtcdClient;
  readonly keys: KeySpace;
  readonly leases: LeasePool;
  /** Of etcd, now. */
  readonly revision: Revision;
  /** How long the outcome of a write is looked for. */
  readonly settleMs: number;
}

const rangePath = '/etcdserverpb.KV/Range';
const txnPath = '/etcdserverpb.KV/Txn';
const compactPath = '/etcdserverpb.KV/Compact';

/** As many as one answer brings; a list of everything is made of several. */
const PAGE = 1_000;
/** A write is answered when our own watch has told it; one whose stream is broken does not hold it for longer than this. */
const HOLD_MS = 3_000;
/** Between attempts to read history whose stream broke. */
const RETRY_MS = 200;
/** As apiserver's compactor names it: whoever moves it on does the next compaction. */
const COMPACT_KEY = 'compact_rev_key';

export class EtcdStore implements Store {
  readonly atOnce = undefined;
  readonly #client: EtcdClient;
  readonly #keys: KeySpace;
  readonly #leases: LeasePool;
  readonly #settleMs: number;
  readonly #follower: Follower;
  readonly #running: Promise<void>;
  readonly #asked = new SharedAsk(() => this.#expectRevision());
  /** What is asked with every read: a message that never changes. */
  readonly #revisionRequest: Buffer;
  #deferred: Promise<unknown> | undefined;
  #compactedAt: Revision = 0;
  #compactVersion = 0;
  #writeError: Error | undefined;

  constructor({ client, keys, leases, revision, settleMs }: EtcdStoreParts) {
    this.#settleMs = settleMs;
    this.#client = client;
    this.#keys = keys;
    this.#leases = leases;
    this.#revisionRequest = encodeRange({ key: keys.toEtcd(keys.everything.start), countOnly: true });
    this.#follower = new Follower(client, keys, revision);
    this.#running = this.#follower.run(() => this.#askRevision());
  }

  revision(): Promise<Revision> {
    return this.#asked.next();
  }

  async get(key: string, { at }: ReadOptions = {}): Promise<Entry | undefined> {
    const { kvs } = await this.#range({ key: this.#keys.toEtcd(key), revision: at ?? 0 });
    return kvs[0] && entryOf(key, kvs[0]);
  }

  async list(range: KeyRange, { at, limit }: ListOptions = {}): Promise<Page> {
    let page = await this.#page(range, at, limit ?? PAGE);
    if (limit !== undefined || !page.more) return page;
    const entries = [...page.entries];
    const { revision } = page;
    while (page.more) {
      page = await this.#page({ start: `${entries.at(-1)?.key}\0`, end: range.end }, revision, PAGE);
      entries.push(...page.entries);
    }
    return { entries, revision, more: false };
  }

  async keys(range: KeyRange): Promise<KeyPage> {
    const { entries, revision } = await this.list(range);
    return { keys: entries, revision };
  }

  async count(range: KeyRange): Promise<number> {
    if (compareKeys(range.start, range.end) >= 0) return 0;
    return (await this.#range({ ...this.#bounds(range), countOnly: true })).count;
  }

  async visitAll(range: KeyRange, visitorAt: (revision: Revision) => (entry: Entry) => void, signal: AbortSignal): Promise<void> {
    let page = await this.#page(range, undefined, PAGE);
    const { revision } = page;
    const visit = visitorAt(revision);
    for (;;) {
      for (const entry of page.entries) visit(entry);
      const last = page.entries.at(-1);
      if (!page.more || last === undefined) return;
      signal.throwIfAborted();
      page = await this.#page({ start: `${last.key}\0`, end: range.end }, revision, PAGE);
    }
  }

  watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncIterable<WatchBatch> {
    this.#refuseClosed();
    return this.#watch(range, after, signal);
  }

  compareAndSet(key: string, expected: Revision, value: Uint8Array | undefined, options: WriteOptions = {}): Promise<WriteResult> {
    const set = () => this.#set(key, expected, value, options);
    return this.#deferred === undefined ? set() : this.#deferred.then(set);
  }

  /** etcd knows no lesser promise; later writes wait for it, as the contract says. */
  compareAndSetDeferred(key: string, expected: Revision, value: Uint8Array): Promise<WriteResult> {
    this.#refuseClosed();
    const result = Promise.resolve(this.#deferred).then(() => this.#set(key, expected, value, {}));
    const settled = result.then(noop, noop).then(() => {
      if (this.#deferred === settled) this.#deferred = undefined;
    });
    this.#deferred = settled;
    return result;
  }

  async compact(before: Revision): Promise<void> {
    this.#refuseClosed();
    try {
      await this.#client.read(compactPath, encodeCompaction(before));
      this.#compactedAt = Math.max(this.#compactedAt, before);
    } catch (error) {
      if (isFuture(error)) throw new FutureRevisionError(before, await this.#askRevision());
      if (!isCompacted(error)) throw error;
    }
  }

  async claimCompaction(before: Revision): Promise<boolean> {
    this.#refuseClosed();
    const value = Buffer.from(String(before));
    const { succeeded, current } = await this.#transact({ key: COMPACT_KEY, compare: { version: this.#compactVersion }, value });
    this.#compactVersion = succeeded ? this.#compactVersion + 1 : (current?.version ?? 0);
    return succeeded;
  }

  writeError(): Error | undefined {
    return this.#writeError;
  }

  async sizeOnDisk(): Promise<number> {
    return readStatusResponse(await this.#client.read(statusPath, Buffer.alloc(0))).dbSize;
  }

  async close(): Promise<void> {
    this.#client.close();
    this.#follower.watchers.end();
    await this.#running;
  }

  #refuseClosed(): void {
    if (this.#client.signal.aborted) throw new StoreClosedError();
  }

  async #expectRevision(): Promise<Revision> {
    const revision = await this.#askRevision();
    this.#follower.expect(revision);
    return revision;
  }

  async #askRevision(): Promise<Revision> {
    this.#refuseClosed();
    return readRangeResponse(await this.#client.read(rangePath, this.#revisionRequest)).revision;
  }

  async #range(request: RangeRequest): Promise<RangeResponse> {
    this.#refuseClosed();
    const { revision: at = 0 } = request;
    if (at > 0 && at < this.#compactedAt) throw new CompactedError(at, this.#compactedAt);
    try {
      return readRangeResponse(await this.#client.read(rangePath, encodeRange(request)));
    } catch (error) {
      if (isFuture(error)) throw new FutureRevisionError(at, await this.#askRevision());
      if (isCompacted(error)) throw await this.#compacted(at);
      throw error;
    }
  }

  /** A read that comes too late does not say where history begins, a watch does. */
  async #compacted(at: Revision): Promise<CompactedError> {
    const watched = { range: { key: this.#keys.everything.start }, after: at - 1 };
    const { compactedAt = at } = await openWatch(this.#client, this.#keys, watched, { opened: noop, told: noop });
    this.#compactedAt = Math.max(this.#compactedAt, compactedAt);
    return new CompactedError(at, compactedAt);
  }

  #bounds({ start, end }: KeyRange): { key: string; rangeEnd: string } {
    return { key: this.#keys.toEtcd(start), rangeEnd: this.#keys.toEtcd(end) };
  }

  async #page(range: KeyRange, at: Revision | undefined, limit: number): Promise<Page> {
    if (compareKeys(range.start, range.end) >= 0) return { entries: [], revision: at ?? (await this.revision()), more: false };
    const { kvs, more, revision } = await this.#range({ ...this.#bounds(range), revision: at ?? 0, limit });
    return { entries: kvs.map((kv) => entryOf(this.#keys.fromEtcd(kv.key), kv)), more, revision: at ?? revision };
  }

  async *#watch(range: KeyRange, after: Revision, signal: AbortSignal): AsyncGenerator<WatchBatch> {
    if (after < this.#compactedAt) throw new CompactedError(after, this.#compactedAt);
    let told = after;
    while (!signal.aborted && !this.#client.signal.aborted) {
      const { floor, watchers, unbroken } = this.#follower;
      const batches = told < floor ? replay(this.#client, this.#keys, { range, after: told, until: floor }, signal) : watchers.watch(range, told, signal);
      // Changes that the follower lost are read from etcd, or found to be forgotten there.
      const end = () => void batches[Symbol.asyncIterator]().return?.(undefined);
      unbroken.addEventListener('abort', end, { once: true });
      try {
        for await (const batch of batches) {
          told = batch.revision;
          yield batch;
        }
      } catch (error) {
        if (isPassing(error)) {
          await pause(this.#client.timers, RETRY_MS, signal);
          continue;
        }
        // The follower keeps no more than its last changes: etcd has the others.
        if (told < floor || told >= this.#follower.floor || !(error instanceof CompactedError)) throw this.#remembered(error);
      } finally {
        unbroken.removeEventListener('abort', end);
      }
    }
  }

  #remembered(error: unknown): unknown {
    if (error instanceof CompactedError) this.#compactedAt = Math.max(this.#compactedAt, error.compactedAt);
    return error;
  }

  async #set(key: string, expected: Revision, value: Uint8Array | undefined, { ttlSeconds }: WriteOptions): Promise<WriteResult> {
    this.#refuseClosed();
    if (value === undefined && expected === 0) return { committed: false, current: await this.get(key) };
    const sentAfter = this.#follower.position;
    let result: WriteResult;
    try {
      result = await this.#sent(key, expected, value, ttlSeconds);
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (this.#client.signal.aborted) throw new StoreClosedError();
      result = await this.#settled({ key, expected, value, sentAfter }, ttlSeconds, error);
    }
    const reached = result.committed ? this.#follower.reached(result.revision, HOLD_MS) : undefined;
    if (reached) await reached;
    return result;
  }

  async #sent(key: string, expected: Revision, value: Uint8Array | undefined, ttlSeconds: number | undefined, mayRetry = true): Promise<WriteResult> {
    const lease = ttlSeconds === undefined ? 0 : await this.#leases.leaseFor(ttlSeconds);
    try {
      const request = { key: this.#keys.toEtcd(key), compare: { modRevision: expected }, value, lease };
      const { succeeded, revision, current } = await this.#transact(request);
      return succeeded ? { committed: true, revision } : { committed: false, current: current && entryOf(key, current) };
    } catch (error) {
      if (!isLeaseGone(error) || !mayRetry) throw error;
      this.#leases.forget();
      return this.#sent(key, expected, value, ttlSeconds, false);
    }
  }

  async #transact(request: CompareAndSetRequest): Promise<{ succeeded: boolean; revision: Revision; current: RangeResponse['kvs'][number] | undefined }> {
    try {
      const response = readCompareAndSetResponse(await this.#client.write(txnPath, encodeCompareAndSet(request)));
      this.#writeError = undefined;
      return response;
    } catch (error) {
      if (!isNoSpace(error)) throw error;
      this.#writeError = new StoreUnwritableError(`etcd takes no writes: ${(error as Error).message}`);
      throw this.#writeError;
    }
  }

  #settled(write: Parameters<typeof settleWrite>[0], ttlSeconds: number | undefined, cause: Error): Promise<WriteResult> {
    const { key, expected, value } = write;
    const until = performance.now() + this.#settleMs;
    const means = {
      read: async () => {
        const { kvs, revision } = await this.#range({ key: this.#keys.toEtcd(key) });
        return { entry: kvs[0] && entryOf(key, kvs[0]), revision };
      },
      changes: (_: string, after: Revision, to: Revision) => changesOfKey(this.#client, this.#keys, key, { after, until: to }),
      repeat: () => this.#sent(key, expected, value, ttlSeconds),
      isOver: () => performance.now() >= until,
    };
    return settleWrite(write, means, cause);
  }
}

function noop(): void {
  return undefined;
}

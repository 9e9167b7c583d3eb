// One watch of etcd over all keys of the store, from its opening on: what it has told is handed to the watches of this process, and a write is
// answered when it has come back here. It keeps the last changes, so that a watch that begins a little earlier needs no other one.
import { exponentialBackoff } from '#base/backoff.ts';
import type { EtcdClient } from '#store/etcd/etcd-client.ts';
import type { MessageStream } from '#base/grpc/grpc-connection.ts';
import { ChurningSet } from '#base/memory/churning.ts';
import type { KeySpace } from '#store/etcd/key-space.ts';
import { askProgress, markerOf } from '#store/etcd/progress.ts';
import { changesOf, openWatch } from '#store/etcd/watch-stream.ts';
import { inRange } from '#store/key-order.ts';
import type { Change, KeyRange, Revision } from '#store/store.ts';
import { Watchers } from '#store/watchers.ts';

/** Changes that are kept at least; twice as many at most. */
const LOG_LIMIT = 1_000;
/** A change of our own or of another server is on its way most often; only what lies outside of our keys has to be asked for. */
const FIRST_ASK_MS = 5;
/** etcd does not answer while it still has changes for us. */
const ASK_AGAIN_MS = 100;
/** A write costs more than a question: changes that are on their way have more time. */
const FIRST_WRITE_MS = 50;

interface Waiter {
  readonly revision: Revision;
  readonly arrived: () => void;
}

export class Follower {
  readonly #client: EtcdClient;
  readonly #keys: KeySpace;
  readonly #backoff = exponentialBackoff({ firstMs: 20, maxMs: 1_000, random: Math.random });
  readonly #waiters = new ChurningSet<Waiter>();
  readonly #marker: string;
  #log: Change[] = [];
  #floor: Revision;
  #position: Revision;
  #gathered: { readonly changes: Change[]; revision: Revision } | undefined;
  #wanted: Revision = 0;
  #cancelAsk: (() => void) | undefined;
  #stream: MessageStream | undefined;
  #generation = new AbortController();
  #watchers = this.#newWatchers();

  constructor(client: EtcdClient, keys: KeySpace, after: Revision) {
    this.#client = client;
    this.#keys = keys;
    this.#marker = markerOf(keys);
    this.#floor = after;
    this.#position = after;
  }

  /** Every change up to here was handed over. */
  get position(): Revision {
    return this.#position;
  }

  /** Watches may begin here or later without asking etcd. */
  get floor(): Revision {
    return this.#floor;
  }

  /** Aborts when changes were lost: watches have to take up again where they were. */
  get unbroken(): AbortSignal {
    return this.#generation.signal;
  }

  get watchers(): Watchers {
    return this.#watchers;
  }

  /** Until the client is closed. `currentRevision` is asked when history was forgotten before it was told. */
  async run(currentRevision: () => Promise<Revision>): Promise<void> {
    const { signal } = this.#client;
    while (!signal.aborted) {
      const compacted = await this.#follow();
      if (signal.aborted) break;
      if (compacted) this.#beginAgain(await currentRevision().catch(() => this.#position));
      else await this.#backoff.wait(signal);
    }
    this.#cancelAsk?.();
    this.#watchers.end();
    for (const waiter of this.#waiters) waiter.arrived();
  }

  /** Resolves when that revision was handed over, or after `milliseconds`. */
  reached(revision: Revision, milliseconds: number): Promise<void> | undefined {
    if (revision <= this.#position || this.#client.signal.aborted) return undefined;
    return new Promise((resolve) => {
      const arrived = () => {
        cancel();
        this.#waiters.delete(waiter);
        resolve();
      };
      const waiter = { revision, arrived };
      const cancel = this.#client.timers.after(milliseconds, arrived);
      this.#waiters.add(waiter);
    });
  }

  /** The store is known to be at that revision: if no change brings us there, etcd is asked to say so. */
  expect(revision: Revision): void {
    if (revision <= this.#position) return;
    this.#wanted = Math.max(this.#wanted, revision);
    this.#cancelAsk ??= this.#client.timers.after(this.#client.tellsProgress ? FIRST_ASK_MS : FIRST_WRITE_MS, () => this.#ask());
  }

  #ask(): void {
    this.#cancelAsk = undefined;
    if (this.#wanted <= this.#position || this.#client.signal.aborted) return;
    askProgress(this.#client, this.#keys, this.#stream);
    this.#cancelAsk = this.#client.timers.after(ASK_AGAIN_MS, () => this.#ask());
  }

  /** One stream, to its end. True: history after our position is forgotten. */
  #follow(): Promise<boolean> {
    const from = { range: this.#keys.everything, after: this.#position };
    return openWatch(this.#client, this.#keys, from, {
      opened: (stream) => {
        this.#stream = stream;
        this.#backoff.reset();
      },
      told: (events, revision) => this.#gather(this.#withoutMarker(changesOf(this.#keys, events)), revision),
    }).then(
      (ended) => ended.compactedAt !== undefined,
      () => false,
    );
  }

  #withoutMarker(changes: readonly Change[]): readonly Change[] {
    return this.#client.tellsProgress ? changes : changes.filter(({ key }) => key !== this.#marker);
  }

  /** What came with one read of the socket is told together. */
  #gather(changes: readonly Change[], revision: Revision): void {
    if (revision <= this.#position) return;
    if (this.#gathered === undefined) {
      this.#gathered = { changes: [...changes], revision };
      queueMicrotask(() => this.#publish());
    } else {
      this.#gathered.changes.push(...changes);
      this.#gathered.revision = Math.max(revision, this.#gathered.revision);
    }
  }

  #publish(): void {
    const { changes, revision } = this.#gathered ?? { changes: [], revision: 0 };
    this.#gathered = undefined;
    if (revision <= this.#position) return;
    for (const change of changes) this.#log.push(change);
    this.#position = revision;
    if (this.#log.length > 2 * LOG_LIMIT) this.#trim();
    this.#watchers.publish(changes, revision);
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.arrived();
  }

  /** Changes of one revision stay or go together. */
  #trim(): void {
    let first = this.#log.length - LOG_LIMIT;
    this.#floor = this.#log[first - 1]?.revision ?? this.#floor;
    while (first < this.#log.length && this.#log[first]?.revision === this.#floor) first++;
    this.#log = this.#log.slice(first);
  }

  #beginAgain(revision: Revision): void {
    this.#log = [];
    this.#position = Math.max(this.#position, revision);
    this.#floor = this.#position;
    const broken = this.#generation;
    this.#generation = new AbortController();
    this.#watchers = this.#newWatchers();
    broken.abort();
    for (const waiter of this.#waiters) if (waiter.revision <= this.#position) waiter.arrived();
  }

  #newWatchers(): Watchers {
    return new Watchers({
      revision: () => this.#position,
      compactedAt: () => this.#floor,
      read: (range, after) => ({ changes: this.#changesAfter(range, after), upTo: this.#position }),
    });
  }

  #changesAfter(range: KeyRange, after: Revision): Change[] {
    return this.#log.filter(({ key, revision }) => revision > after && inRange(range, key));
  }
}

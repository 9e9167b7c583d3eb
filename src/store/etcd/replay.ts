// What etcd still has of the past, in order, up to a revision that has come.
import type { EtcdClient } from '#store/etcd/etcd-client.ts';
import type { KeySpace } from '#store/etcd/key-space.ts';
import type { MessageStream } from '#base/grpc/grpc-connection.ts';
import { askProgress } from '#store/etcd/progress.ts';
import { changesOf, openWatch, type WatchHandler } from '#store/etcd/watch-stream.ts';
import { inRange } from '#store/key-order.ts';
import { CompactedError, type Change, type KeyRange, type Revision, type WatchBatch } from '#store/store.ts';

export interface ReplayFrom {
  readonly range: KeyRange;
  readonly after: Revision;
  /** Ends with the batch that reaches it. */
  readonly until: Revision;
}

/** etcd says how far it is only when it has nothing more to tell. */
const ASK_AGAIN_MS = 50;
/** A key that was written for it comes by itself, unless the write failed. */
const WRITE_AGAIN_MS = 1_000;

/** Throws CompactedError when a part of it is gone, and what a broken stream throws. */
export async function* replay(client: EtcdClient, keys: KeySpace, from: ReplayFrom, signal: AbortSignal): AsyncGenerator<WatchBatch> {
  await client.ready();
  const past = watchPast(client, keys, from);
  signal.addEventListener('abort', past.close);
  try {
    let told = from.after;
    while (told < from.until && !signal.aborted) {
      const batch = past.batches.shift();
      if (batch === undefined) await past.more();
      else if (batch.revision > told) {
        told = batch.revision;
        yield batch;
      }
    }
  } finally {
    signal.removeEventListener('abort', past.close);
    past.close();
    await past.ended;
  }
}

interface WatchedPast {
  readonly batches: WatchBatch[];
  /** Resolves when there is one more; throws when there will be none. */
  more(): Promise<void>;
  close(): void;
  readonly ended: Promise<void>;
}

function watchPast(client: EtcdClient, keys: KeySpace, { range, after }: ReplayFrom): WatchedPast {
  // What is written to learn how far etcd is lies outside of the range.
  const watched = client.tellsProgress ? range : keys.everything;
  const batches: WatchBatch[] = [];
  let wakeUp = () => {};
  let stream: MessageStream | undefined;
  let problem: unknown;
  let cancelAsk = () => {};
  const ask = () => {
    askProgress(client, keys, stream);
    cancelAsk = client.timers.after(client.tellsProgress ? ASK_AGAIN_MS : WRITE_AGAIN_MS, ask);
  };
  const opened = (open: MessageStream) => {
    stream = open;
    ask();
  };
  const told: WatchHandler['told'] = (events, revision) => {
    batches.push({ changes: changesOf(keys, events).filter(({ key }) => inRange(range, key)), revision });
    wakeUp();
  };
  const end = (why: unknown) => {
    problem = why;
    wakeUp();
  };
  return {
    batches,
    close: () => {
      cancelAsk();
      stream?.close();
    },
    ended: openWatch(client, keys, { range: watched, after }, { opened, told }).then(
      ({ compactedAt }) => end(new CompactedError(after, compactedAt ?? after)),
      end,
    ),
    async more() {
      if (problem !== undefined) throw problem;
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
    },
  };
}

/** All changes of one key in that time. */
export async function changesOfKey(client: EtcdClient, keys: KeySpace, key: string, { after, until }: Omit<ReplayFrom, 'range'>): Promise<Change[]> {
  const changes: Change[] = [];
  const range = { start: key, end: `${key}\0` };
  for await (const batch of replay(client, keys, { range, after, until }, client.signal)) changes.push(...batch.changes);
  return changes.filter(({ revision }) => revision <= until);
}

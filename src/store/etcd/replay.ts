// What etcd still has of the past, in order, up to a revision that has come.
import type { EtcdClient } from '#store/etcd/etcd-client.ts';
import type { KeySpace } from '#store/etcd/key-space.ts';
import type { MessageStream } from '#base/grpc/grpc-connection.ts';
import { askProgress } from '#store/etcd/progress.ts';
import { changesOf, openWatch } from '#store/etcd/watch-stream.ts';
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
export async function* replay(client: EtcdClient, keys: KeySpace, { range, after, until }: ReplayFrom, signal: AbortSignal): AsyncGenerator<WatchBatch> {
  await client.ready();
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
  const close = () => {
    cancelAsk();
    stream?.close();
  };
  const watching = openWatch(
    client,
    keys,
    { range: watched, after },
    {
      opened: (opened) => {
        stream = opened;
        ask();
      },
      told: (events, revision) => {
        batches.push({ changes: changesOf(keys, events).filter(({ key }) => inRange(range, key)), revision });
        wakeUp();
      },
    },
  );
  const ended = watching.then(
    ({ compactedAt }) => {
      problem = new CompactedError(after, compactedAt ?? after);
      wakeUp();
    },
    (error) => {
      problem = error;
      wakeUp();
    },
  );
  signal.addEventListener('abort', close);
  try {
    let told = after;
    while (told < until && !signal.aborted) {
      const batch = batches.shift();
      if (batch && batch.revision > told) {
        told = batch.revision;
        yield batch;
      } else if (batch === undefined) {
        if (problem !== undefined) throw problem;
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
      }
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
    await ended;
  }
}

/** All changes of one key in that time. */
export async function changesOfKey(client: EtcdClient, keys: KeySpace, key: string, { after, until }: Omit<ReplayFrom, 'range'>): Promise<Change[]> {
  const changes: Change[] = [];
  const range = { start: key, end: `${key}\0` };
  for await (const batch of replay(client, keys, { range, after, until }, client.signal)) changes.push(...batch.changes);
  return changes.filter(({ revision }) => revision <= until);
}

// One watch of etcd on a stream of its own: events put together from their fragments, and how far the store has come.
import type { EtcdClient } from '#store/etcd/etcd-client.ts';
import type { MessageStream } from '#base/grpc/grpc-connection.ts';
import { GrpcError, grpcCode } from '#base/grpc/grpc-error.ts';
import type { KeySpace } from '#store/etcd/key-space.ts';
import type { KeyValue } from '#store/etcd/kv-messages.ts';
import { encodeWatchCreate, readWatchResponse, type WatchEvent, type WatchResponse } from '#store/etcd/watch-messages.ts';
import type { Change, Entry, KeyRange, Revision } from '#store/store.ts';

const path = '/etcdserverpb.Watch/Watch';

export interface WatchFrom {
  /** One key, or a range of them. */
  readonly range: KeyRange | { readonly key: string };
  readonly after: Revision;
}

export interface WatchHandler {
  opened(stream: MessageStream): void;
  /** Everything up to `revision` was told with these events, which are whole. */
  told(events: readonly WatchEvent[], revision: Revision): void;
}

export interface EndedWatch {
  /** History starts after this one, and the watch would have begun before. */
  readonly compactedAt: Revision | undefined;
}

/** Resolves when the watch has ended, by whomever; rejects when its stream broke. */
export async function openWatch(client: EtcdClient, keys: KeySpace, { range, after }: WatchFrom, handler: WatchHandler): Promise<EndedWatch> {
  const bounds = 'key' in range ? { key: keys.toEtcd(range.key) } : { key: keys.toEtcd(range.start), rangeEnd: keys.toEtcd(range.end) };
  const create = encodeWatchCreate({ ...bounds, startRevision: after + 1 });
  let open: MessageStream | undefined;
  try {
    return await new Promise<EndedWatch>((resolve, reject) => {
      const fragments: WatchEvent[] = [];
      const take = (response: WatchResponse) => {
        if (response.canceled) return settleCancelled(client, response, resolve, reject);
        if (response.created) return open && handler.opened(open);
        fragments.push(...response.events);
        if (response.fragment) return;
        const events = fragments.splice(0);
        // The revision of an answer with events may be ahead of them.
        handler.told(events, events.at(-1)?.kv.modRevision ?? response.revision);
      };
      client.stream(path, create, { message: (bytes) => take(readWatchResponse(bytes)), ended: reject }).then((stream) => {
        open = stream;
      }, reject);
    });
  } finally {
    open?.close();
  }
}

/** etcd ends watches whose history is gone, and those at a member without a leader. */
function settleCancelled(client: EtcdClient, response: WatchResponse, resolve: (ended: EndedWatch) => void, reject: (error: Error) => void): void {
  if (response.compactRevision > 0) return resolve({ compactedAt: response.compactRevision });
  client.moveOn();
  reject(new GrpcError(grpcCode.unavailable, `etcd has ended a watch: ${response.cancelReason}`));
}

export function changesOf(keys: KeySpace, events: readonly WatchEvent[]): Change[] {
  return events.map(({ deleted, kv, previous }) => {
    const key = keys.fromEtcd(kv.key);
    return { key, revision: kv.modRevision, value: deleted ? undefined : kv.value, previous: previous && entryOf(key, previous) };
  });
}

export function entryOf(key: string, { value, modRevision }: KeyValue): Entry {
  return { key, value, revision: modRevision };
}

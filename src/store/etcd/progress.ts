// How a watch learns how far etcd has come where no change says so. A member is asked for it on the stream of the watch, but those of releases before 3.4.31 and 3.5.13
// answer before they have told all changes up to the revision that they name: there a key of our own is written, whose change comes behind all that were before it.
import type { MessageStream } from '#base/grpc/grpc-connection.ts';
import type { EtcdClient } from '#store/etcd/etcd-client.ts';
import type { KeySpace } from '#store/etcd/key-space.ts';
import { encodePut } from '#store/etcd/kv-messages.ts';
import { encodeProgressRequest } from '#store/etcd/watch-messages.ts';

/** Below the prefix of the store, beside the folders of resources. */
const MARKER = 'binnacle/progress';
const putPath = '/etcdserverpb.KV/Put';

const progressRequest = encodeProgressRequest();

export function markerOf(keys: KeySpace): string {
  return keys.everything.start + MARKER;
}

/** The watch of `stream` hears of it; nothing follows where etcd does not answer: whoever waits asks again. */
export function askProgress(client: EtcdClient, keys: KeySpace, stream: MessageStream | undefined): void {
  if (client.tellsProgress) stream?.send(progressRequest);
  else void client.read(putPath, encodePut(keys.toEtcd(markerOf(keys)))).catch(() => undefined);
}

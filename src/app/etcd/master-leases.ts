// Servers of one etcd that live, as the original keeps them: an Endpoints object with one address under `masterleases/`, which goes by itself when it is not renewed.
import type { ServerLeases } from '#controllers/bootstrap/kubernetes-endpoints.ts';
import { Endpoints } from '#kinds/core/v1/service/endpoints.ts';
import { storeRoot } from '#resource/keys.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { isEnvelope, readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import { rangeOf, type Store } from '#store/store.ts';

const prefix = `${storeRoot}masterleases/`;
/** As long as those of the original. */
const leaseSeconds = 15;

interface StoredLease {
  readonly metadata?: { readonly generation?: number | string };
  readonly subsets?: readonly { readonly addresses?: readonly { readonly ip?: string }[] }[];
}

export function masterLeases(store: Store): ServerLeases {
  const renew = async (address: string): Promise<void> => {
    const key = prefix + address;
    for (;;) {
      const entry = await store.get(key);
      // The original writes nothing where nothing changes, and would not renew: its generation grows.
      const generation = Number((entry && leaseIn(entry.value))?.metadata?.generation ?? 0) + 1;
      const lease = { metadata: { generation }, subsets: [{ addresses: [{ ip: address }] }] };
      const value = writeEnvelope('v1', 'Endpoints', encodeProtobuf(Endpoints, lease));
      if ((await store.compareAndSet(key, entry?.revision ?? 0, value, { ttlSeconds: leaseSeconds })).committed) return;
    }
  };
  const remove = async (address: string): Promise<void> => {
    for (;;) {
      const entry = await store.get(prefix + address);
      if (entry === undefined || (await store.compareAndSet(entry.key, entry.revision, undefined)).committed) return;
    }
  };
  const living = async (): Promise<readonly string[]> => {
    const { entries } = await store.list(rangeOf(prefix));
    return entries.flatMap(({ value }) => leaseIn(value).subsets?.[0]?.addresses?.[0]?.ip ?? []);
  };
  return { renew, remove, living };
}

function leaseIn(value: Uint8Array): StoredLease {
  return isEnvelope(value) ? decodeProtobuf(Endpoints, readEnvelope(value).raw) : JSON.parse(Buffer.from(value).toString());
}

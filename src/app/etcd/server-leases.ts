// What a server says about itself to others of one etcd while it lives, as the original keeps it: an Endpoints object that goes by itself when it is not renewed.
import type { ServerLeases } from '#controllers/bootstrap/kubernetes-endpoints.ts';
import { Endpoints } from '#kinds/core/v1/service/endpoints.ts';
import { storeRoot } from '#resource/keys.ts';
import { decodeProtobuf, encodeProtobuf } from '#schema/protobuf/protobuf.ts';
import { isEnvelope, readEnvelope, writeEnvelope } from '#schema/protobuf/protobuf-envelope.ts';
import type { NetworkAddress } from '#base/outgoing/target.ts';
import { rangeOf, type Store } from '#store/store.ts';

/** As long as those of the original. */
const leaseSeconds = 15;

interface StoredLease {
  readonly metadata?: { readonly generation?: number | string; readonly labels?: Readonly<Record<string, string>> };
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip?: string }[];
    readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[];
  }[];
}

/** Addresses of servers for the endpoints of the service `kubernetes`, under `masterleases/`. */
export function masterLeases(store: Store): ServerLeases {
  const { renew, remove, living } = leasesUnder(store, 'masterleases/');
  return {
    renew: (address) => renew(address, { subsets: [{ addresses: [{ ip: address }] }] }),
    remove,
    living: async () => (await living()).flatMap(({ subsets }) => subsets?.[0]?.addresses?.[0]?.ip ?? []),
  };
}

export interface PeerLeases {
  renew(identity: string, address: NetworkAddress): Promise<void>;
  remove(identity: string): Promise<void>;
  addressOf(identity: string): Promise<NetworkAddress | undefined>;
}

/** Where servers reach each other, by their identities, under `peerserverleases/`. */
export function peerLeases(store: Store): PeerLeases {
  const { renew, remove, get } = leasesUnder(store, 'peerserverleases/');
  return {
    renew: (identity, { host, port }) => {
      const subsets = [{ addresses: [{ ip: host }], ports: [{ name: 'https', port, protocol: 'TCP' }] }];
      return renew(identity, { metadata: { labels: { apiserverIdentity: identity } }, subsets });
    },
    remove,
    addressOf: async (identity) => {
      const { addresses, ports } = (await get(identity))?.subsets?.[0] ?? {};
      const [host, port] = [addresses?.[0]?.ip, ports?.[0]?.port];
      return host === undefined || port === undefined ? undefined : { host, port };
    },
  };
}

function leasesUnder(store: Store, folder: string) {
  const prefix = storeRoot + folder;
  const get = async (name: string): Promise<StoredLease | undefined> => {
    const entry = await store.get(prefix + name);
    return entry && leaseIn(entry.value);
  };
  const renew = async (name: string, { metadata, subsets }: StoredLease): Promise<void> => {
    const key = prefix + name;
    for (;;) {
      const entry = await store.get(key);
      // The original writes nothing where nothing changes, and would not renew: its generation grows.
      const generation = Number((entry && leaseIn(entry.value))?.metadata?.generation ?? 0) + 1;
      const value = writeEnvelope('v1', 'Endpoints', encodeProtobuf(Endpoints, { metadata: { ...metadata, generation }, subsets }));
      if ((await store.compareAndSet(key, entry?.revision ?? 0, value, { ttlSeconds: leaseSeconds })).committed) return;
    }
  };
  const remove = async (name: string): Promise<void> => {
    for (;;) {
      const entry = await store.get(prefix + name);
      if (entry === undefined || (await store.compareAndSet(entry.key, entry.revision, undefined)).committed) return;
    }
  };
  const living = async (): Promise<readonly StoredLease[]> => (await store.list(rangeOf(prefix))).entries.map(({ value }) => leaseIn(value));
  return { get, renew, remove, living };
}

function leaseIn(value: Uint8Array): StoredLease {
  return isEnvelope(value) ? decodeProtobuf(Endpoints, readEnvelope(value).raw) : JSON.parse(Buffer.from(value).toString());
}

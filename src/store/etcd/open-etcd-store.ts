import { type Clock, systemClock } from '#base/clock.ts';
import { EtcdClient, type EtcdClientOptions } from '#store/etcd/etcd-client.ts';
import { EtcdStore } from '#store/etcd/etcd-store.ts';
import { keySpace } from '#store/etcd/key-space.ts';
import { encodeLeaseGrant, encodeRange, type LeaseId, readLeaseGrantResponse, readRangeResponse } from '#store/etcd/kv-messages.ts';
import { LeasePool } from '#store/etcd/lease-pool.ts';

export interface EtcdStoreOptions extends EtcdClientOptions {
  readonly clock?: Clock;
  /** What all keys of the store begin with, and what they begin with in etcd; both end with a slash. */
  readonly root: string;
  readonly prefix: string;
  /** How much longer than asked for a key may live, so that many share a lease. */
  readonly leaseReuseSeconds: number;
  /** How long etcd may take to answer for the first time. */
  readonly openMs?: number;
  /** How long it is tried to find out what became of a write. */
  readonly settleMs?: number;
  /** Hears of every lease that was granted. */
  readonly onLease?: (id: LeaseId, ttlSeconds: number) => void;
}

const OPEN_MS = 20_000;
const SETTLE_MS = 10_000;

/** Waits for etcd; throws a StoreUnavailableError when it does not answer. */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<EtcdStore> {
  const { root, prefix, leaseReuseSeconds, clock = systemClock, openMs = OPEN_MS, settleMs = SETTLE_MS, onLease } = options;
  const client = new EtcdClient(options);
  const keys = keySpace(root, prefix);
  const grant = async (ttlSeconds: number) => {
    const id = readLeaseGrantResponse(await client.read('/etcdserverpb.Lease/LeaseGrant', encodeLeaseGrant(ttlSeconds)));
    onLease?.(id, ttlSeconds);
    return id;
  };
  const leases = new LeasePool({ clock, grant, reuseSeconds: leaseReuseSeconds });
  try {
    const { revision } = readRangeResponse(await client.read('/etcdserverpb.KV/Range', encodeRange({ key: keys.toEtcd(root), countOnly: true }), openMs));
    return new EtcdStore({ client, keys, leases, revision, settleMs });
  } catch (error) {
    client.close();
    throw error;
  }
}
